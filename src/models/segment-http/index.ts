export { type SegmentHttpOptions, segmentHttp } from "./segment-http.js";
