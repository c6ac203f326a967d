export declare const heaviestHome: number;
export declare function siteFaults(folder: string, base?: string): string[];
