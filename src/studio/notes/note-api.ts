/** What people noted about a run and its images, as pages and server exchange it. */

export interface RunNotes {
  /** Changes with them. */
  readonly version: number;
  /** What people call the run; absent where nobody named it. */
  readonly title?: string;
  readonly isPinned: boolean;
  readonly tags: readonly string[];
  readonly comments: readonly Comment[];
  /** Filters that were given a name: the search of an address. */
  readonly views: readonly NamedView[];
  /** By an image's key. */
  readonly images: Readonly<Record<string, ImageNotes>>;
}

export interface ImageNotes {
  readonly tags: readonly string[];
  readonly comments: readonly Comment[];
}

export interface Comment {
  readonly text: string;
  readonly by?: string;
  /** As ISO 8601. */
  readonly at: string;
}

export interface NamedView {
  readonly name: string;
  /** The page below the run, such as `gallery`. */
  readonly page: "gallery" | "grid";
  readonly search: Readonly<Record<string, string>>;
}

export const noNotes: RunNotes = {
  version: 0,
  isPinned: false,
  tags: [],
  comments: [],
  views: [],
  images: {},
};

/** Table of chosen images: its path, and how many were left out because they have no image. */
export interface WrittenTable {
  readonly path: string;
  readonly left: number;
}
