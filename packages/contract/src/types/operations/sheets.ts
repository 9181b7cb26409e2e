/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `sheets` take and answer; `wire`: as a module reads it. */
export interface SheetsOperations {
  /** Take a picture of a sheet. */
  'sheet-screenshot': {
    parameters: {
      /** UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`. */
      uuid?: string;
      /** Use the tokens that are selected on the canvas. */
      selected?: boolean;
      /** With `selected`: use the tokens’ actors instead of the tokens. */
      actor?: boolean;
      /** Kind of picture. */
      format?: 'png' | 'jpeg';
      /** How good a `jpeg` is. */
      quality?: number;
      /** Times the size of the sheet. */
      scale?: number;
    };
    result: {
      success?: boolean;
      /** The picture as a data URL in base64. */
      imageData: string;
      mimeType?: string;
      /** In pixels. */
      width?: number;
      /** In pixels. */
      height?: number;
    };
  };
}
