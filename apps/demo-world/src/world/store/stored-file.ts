/** What the state of a world tells of a file. */
export interface StoredFile {
  mimeType: string;
  bytes: number;
}
