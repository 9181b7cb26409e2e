/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `scenes` take and answer; `wire`: as a module reads it. */
export interface ScenesOperations {
  /** Read a scene, or all of them. */
  'get-scene': {
    parameters: {
      /** Id of the scene, for example `chapel`. */
      sceneId?: string;
      /** Name of the scene. */
      name?: string;
      /** Use the scene that is active for all players. */
      active?: boolean;
      /** Use the scene that the game master’s browser shows. */
      viewed?: boolean;
      /** Read every scene; `data` is then a list. */
      all?: boolean;
    };
    result: {
      data: Record<string, unknown> | Record<string, unknown>[];
    };
  };
  /** Create a scene. */
  'create-scene': {
    parameters: {
      /** The scene’s fields, for example `{"name": "The tower", "width": 20, "height": 14}`. */
      data: Record<string, unknown>;
    };
    result: {
      /** The scene as it is now. */
      data: Record<string, unknown>;
    };
  };
  /** Change a scene. */
  'update-scene': {
    parameters: {
      /** Id of the scene, for example `chapel`. */
      sceneId?: string;
      /** Name of the scene. */
      name?: string;
      /** Use the scene that is active for all players. */
      active?: boolean;
      /** Use the scene that the game master’s browser shows. */
      viewed?: boolean;
      /** The fields to change; nested, or by dotted path such as `grid.distance`. */
      data: Record<string, unknown>;
    };
    result: {
      /** The scene as it is now. */
      data: Record<string, unknown>;
    };
  };
  /** Delete a scene with all that lies on it. */
  'delete-scene': {
    parameters: {
      /** Id of the scene, for example `chapel`. */
      sceneId?: string;
      /** Name of the scene. */
      name?: string;
      /** Use the scene that is active for all players. */
      active?: boolean;
      /** Use the scene that the game master’s browser shows. */
      viewed?: boolean;
    };
    result: {
      success: boolean;
    };
  };
  /** Make a scene the active one. */
  'switch-scene': {
    parameters: {
      /** Id of the scene, for example `chapel`. */
      sceneId?: string;
      /** Name of the scene. */
      name?: string;
      /** Use the scene that is active for all players. */
      active?: boolean;
      /** Use the scene that the game master’s browser shows. */
      viewed?: boolean;
    };
    result: {
      success: boolean;
      /** The scene as it is now. */
      data: Record<string, unknown>;
    };
  };
  /** Take a picture of the scene as it looks. */
  'scene-screenshot': {
    parameters: {
      /** Id of the scene. */
      sceneId?: string;
      /** Use the scene that is active for all players. */
      active?: boolean;
      /** Kind of picture. */
      format?: 'png' | 'jpeg';
      /** How good a `jpeg` is. */
      quality?: number;
      /** Keep the grid where `hideOverlays` would hide it; without that it is ignored. */
      showGrid?: boolean;
      /** Leave out the grid, fog, weather and marks. */
      hideOverlays?: boolean;
      /** Only what the browser shows; `width` and `height` are then ignored. */
      viewport?: boolean;
      /** Width in pixels. */
      width?: number;
      /** Height in pixels. */
      height?: number;
    };
    result: {
      /** The picture as a `data:` URL. */
      imageData: string;
      mimeType: string;
      width: number;
      height: number;
    };
  };
  /** Fetch the background image of a scene. */
  'scene-raw-image': {
    parameters: {
      /** Id of the scene. */
      sceneId?: string;
      /** Use the scene that is active for all players. */
      active?: boolean;
    };
    result: {
      data: {
        sceneId: string;
        sceneName: string;
        /** Path or address of the file. */
        src?: string | null;
        /** The file as a `data:` URL. */
        imageData?: string;
        mimeType?: string;
      };
    };
  };
}
