/**
 * Whether an import failed because a package is not installed: Node's own error, or that of a bundler's
 * stand-in for an optional peer that is not there.
 */
export const isMissingPackage = (cause: unknown, name: string): boolean =>
  cause instanceof Error &&
  (cause.message.includes(`Could not resolve "${name}"`) ||
    ("code" in cause &&
      cause.code === "ERR_MODULE_NOT_FOUND" &&
      cause.message.includes(`'${name}'`)));
