export { type BackendName, type PythonBridgeOptions, pythonBridge } from "./python-bridge.js";
