/** Facts of a file in the state of a world. */
export interface StoredFile {
  mimeType: string;
  bytes: number;
}
