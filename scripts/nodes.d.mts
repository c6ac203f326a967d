export declare const majors: readonly number[];
export declare function nodeAt(major: number, folder: string): string;
