export declare const heaviestPage: number;
export declare function siteFaults(folder: string, base?: string): string[];
