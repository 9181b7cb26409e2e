/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `files` take and answer; `wire`: as a module reads it. */
export interface FilesOperations {
  /** List the files of a folder. */
  'file-system': {
    parameters: {
      /** The folder; the topmost when left out. It stays within the tabletop’s own files: no address of another place, no `..`, no `\`. */
      path?: string;
      /** Where files are kept: `data` when left out; `public` and `s3` where the tabletop has them. */
      source?: string;
      /** List what lies deeper too, three levels at most. */
      recursive?: boolean;
    };
    result: {
      success: boolean;
      path?: string;
      source?: string;
      results: {
        name: string;
        path: string;
        /** `file` or `directory`. */
        type: string;
      }[];
      recursive?: boolean;
    };
  };
  /** Upload a file. */
  'upload-file': {
    parameters: {
      /** The folder. It stays within the tabletop’s own files: no address of another place, no `..`, no `\`. */
      path: string;
      /** Name of the file, without folders. */
      filename: string;
      /** Where files are kept: `data` when left out; `public` and `s3` where the tabletop has them. */
      source?: string;
      /** The file as a data URL in base64; `data:` and `data:;base64,` are empty files. */
      fileData?: string;
      /** The file as a list of bytes. */
      binaryData?: number[];
      /** Content type of the file. */
      mimeType?: string;
      /** Replace a file that is there. */
      overwrite?: boolean;
      /** Do nothing where the file is there. */
      skipIfExists?: boolean;
    };
    result: {
      success: boolean;
      /** Where the file is now. */
      path?: string;
    };
  };
  /** Download a file. */
  'download-file': {
    parameters: {
      /** The file. It stays within the tabletop’s own files: no address of another place, no `..`, no `\`. */
      path: string;
      /** Where files are kept: `data` when left out; `public` and `s3` where the tabletop has them. */
      source?: string;
    };
    result: {
      success: boolean;
      path?: string;
      /** The file as a data URL in base64. */
      fileData: string;
      filename?: string;
      mimeType?: string;
    };
  };
}
