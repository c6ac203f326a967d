/** A text as bash and zsh read it, in single quotes. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
