/** Functions that a world needs from its host: Node or a page. */
export interface Outside {
  runScript: RunScript;
  paint: Paint;
}

/** The kind of picture that is asked for. */
export interface PictureKind {
  format: 'png' | 'jpeg';
  /** 0 to 1, for `jpeg`. */
  quality: number;
}

/** Makes a picture of an SVG document, as a `data:` URL. */
export type Paint = (svg: string, kind: PictureKind) => Promise<string>;

/** A script with what it finds. The texts are JSON. */
export interface ScriptJob {
  /** The body of an asynchronous function. */
  script: string;
  args: string;
  /** The world that the script finds: the parts of a `ScriptWorld`. */
  world: string;
}

/** Result of a script. The script itself sends it, so nothing of it may be trusted. */
export interface ScriptOutcome {
  value: unknown;
  /** Documents it created, changed and deleted, and its chat messages, in order. */
  deeds: unknown;
}

/**
 * Runs a script in an interpreter that reaches nothing but the job, with limits of time and memory. Rejects with a
 * `Refusal`: `script_failed` where the script throws or takes too much, `too_busy` where too many run.
 */
export type RunScript = (job: ScriptJob) => Promise<ScriptOutcome>;
