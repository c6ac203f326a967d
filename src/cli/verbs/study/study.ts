import { protocols } from "../../../studies/protocols/protocols.js";
import { commandGroup } from "../../command-line/command.js";

export default commandGroup({
  description:
    `A human study is one YAML file: blocks of images with a protocol (${Object.keys(protocols).join(", ")}) ` +
    "between a consent page and a debrief. It is created once, " +
    "served to people in a browser, and its answers become tables that analyze reads.",
  examples: [
    "touchstone study create study.yaml --run studies/first",
    "touchstone study serve studies/first",
    "touchstone study export studies/first --table agreement --out agreement.csv",
  ],
  verbs: [
    {
      name: "plan",
      summary: "plan how many items and labels a study needs, and what they cost",
      load: () => import("./study-plan.js"),
    },
    {
      name: "create",
      summary: "check a study's file and freeze its items",
      load: () => import("./study-create.js"),
    },
    {
      name: "serve",
      summary: "serve a study to participants until interrupted",
      load: () => import("./study-serve.js"),
    },
    {
      name: "panel",
      summary: "make the study at the panel that participants come from, and settle their pay",
      load: () => import("./study-panel.js"),
    },
    {
      name: "invite",
      summary: "print invitations, one link a person",
      load: () => import("./study-invite.js"),
    },
    {
      name: "status",
      summary: "show progress, agreement so far and quality per participant",
      load: () => import("./study-status.js"),
    },
    {
      name: "code",
      summary: "code what people wrote or said: agreement of coders, themes by query and model",
      load: () => import("./study-code.js"),
    },
    {
      name: "transcript",
      summary: "take the transcript of a session into the study",
      load: () => import("./study-transcript.js"),
    },
    {
      name: "export",
      summary: "write answers as a table for analyze, calibrate or compare",
      load: () => import("./study-export.js"),
    },
    {
      name: "import",
      summary: "take over answers of offline pages or of Label Studio",
      load: () => import("./study-import.js"),
    },
    {
      name: "page",
      summary: "write a study, or an audit's labelling sheet, as one page that is answered offline",
      load: () => import("./study-page.js"),
    },
    {
      name: "copy",
      summary: "copy a study from a folder to a database or back",
      load: () => import("./study-copy.js"),
    },
    {
      name: "erase",
      summary: "remove all there is of a participant",
      load: () => import("./study-erase.js"),
    },
    {
      name: "close",
      summary: "end a study: nobody can join any more",
      load: () => import("./study-close.js"),
    },
  ],
});
