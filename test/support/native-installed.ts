/** Whether the optional peer of the lab's native runtime is there. */
export function nativeInstalled(): boolean {
  try {
    return import.meta.resolve("onnxruntime-node") !== "";
  } catch {
    return false;
  }
}
