export { auditSteps } from "./audit-steps.js";
export { loadNotice } from "./packaged.js";
export { loadPublishedStereotypes, type PublishedStereotypes } from "./published.js";
export { loadQueries, type Query, queryText } from "./queries.js";
export { loadRubrics, type Rubric } from "./rubrics.js";
