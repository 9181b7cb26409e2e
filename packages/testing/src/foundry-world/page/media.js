import { declare, everywhere, strict, strictClass } from './strict.js';

/** Files, sounds, text and pictures. */

async function files(action, body) {
  const response = await fetch(`/files/${action}`, { method: 'POST', body });
  const answer = await response.json();
  if (answer.error) {
    if (action === 'upload') {
      ui.notifications.error(answer.error);
      return false;
    }
    throw new Error(answer.error);
  }
  return answer;
}

const asked = (fields) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

class FilePicker {
  constructor(options = {}) {
    this.options = options;
    this.sources = { data: { target: '' }, public: { target: '' } };
    return strict(this, 'FilePicker', { isOpen: true });
  }
  static get implementation() {
    return made.FilePicker;
  }
  /** Lists a folder: `{target, dirs, files, ...}` with paths from the source's root. */
  static browse(source, target, { extensions = [], wildcard = false } = {}) {
    return files('browse', asked({ source, target, extensions: JSON.stringify(extensions), wildcard }));
  }
  static upload(source, path, file, body = {}, { notify = true } = {}) {
    const answer = files('upload', asked({ source, target: path, upload: file, ...body }));
    return answer.then((result) => {
      if (result && notify) ui.notifications.info(`${result.path} was uploaded`);
      return result;
    });
  }
  static uploadPersistent(packageId, path, file, body, options) {
    return this.upload('data', `modules/${packageId}/storage/${path}`, file, body, options);
  }
  static createDirectory(source, target) {
    return files('create', asked({ source, target }));
  }
  static configurePath() {
    return Promise.resolve({});
  }
  static matchS3URL() {
    return null;
  }
  render() {
    return this;
  }
}

class TextEditor {
  static get implementation() {
    return made.TextEditor;
  }
  /** Links of documents, inline rolls and secrets. */
  static async enrichHTML(content = '', { secrets = false } = {}) {
    return enrich(content, secrets);
  }
  static decodeHTML(html) {
    const area = document.createElement('textarea');
    area.innerHTML = html;
    return area.value;
  }
  static previewHTML(content, length = 250) {
    return TextEditor.truncateText(new DOMParser().parseFromString(content, 'text/html').body.textContent, {
      maxLength: length,
    });
  }
  static truncateHTML(html) {
    return html;
  }
  static truncateText(text, { maxLength = 50, suffix = '…' } = {}) {
    return text.length <= maxLength ? text : `${text.slice(0, maxLength)}${suffix}`;
  }
  static getDragEventData(event) {
    return JSON.parse(event.dataTransfer.getData('text/plain'));
  }
}

export function enrich(content, secrets = true) {
  const root = document.createElement('div');
  root.innerHTML = content.replaceAll(/@UUID\[([^\]]+)\](?:\{([^}]*)\})?/g, (_, uuid, label) => {
    const link = document.createElement('a');
    link.className = 'content-link';
    link.dataset.uuid = uuid;
    link.textContent = label ?? uuid;
    return link.outerHTML;
  });
  if (!secrets)
    for (const element of root.querySelectorAll('section.secret:not(.revealed)')) element.remove();
  return root.innerHTML;
}

class Sound {
  constructor(src) {
    const state = { isPlaying: false, volume: 1, loop: false };
    Object.assign(this, { src, id: ++lastSound, [kept]: state });
    return strict(this, 'Sound');
  }
  get playing() {
    return this[kept].isPlaying;
  }
  get volume() {
    return this[kept].volume;
  }
  get loop() {
    return this[kept].loop;
  }
  get duration() {
    return 60;
  }
  get currentTime() {
    return 0;
  }
  async load() {
    return this;
  }
  async play({ volume = 1, loop = false } = {}) {
    Object.assign(this[kept], { isPlaying: true, volume, loop });
    played.push({ src: this.src, volume });
    game.audio.playing.set(this.id, this);
    return this;
  }
  async stop() {
    this[kept].isPlaying = false;
    game.audio.playing.delete(this.id);
    return this;
  }
  pause() {
    this[kept].isPlaying = false;
  }
  async fade(volume) {
    this[kept].volume = volume;
  }
}
const kept = Symbol('kept');
let lastSound = 0;

/** Sounds that this browser played, for tests. */
export const played = [];

class AudioHelper {
  constructor() {
    const context = {};
    Object.assign(this, {
      playing: new Map(),
      locked: false,
      unlock: Promise.resolve(),
      music: context,
      environment: context,
      interface: context,
    });
    return strict(this, 'AudioHelper');
  }
  get context() {
    return this.music;
  }
  /** `push`: to the other browsers too, all or those in `recipients`. */
  static async play(data, push) {
    const sound = new Sound(data.src);
    if (push) game.socket.emit('playAudio', data, typeof push === 'object' ? push : {});
    return sound.play({ volume: data.volume ?? 1, loop: data.loop ?? false });
  }
  play(src, options) {
    return new Sound(src).play(options);
  }
  create({ src }) {
    return new Sound(src);
  }
  static async preloadSound(src) {
    return new Sound(src);
  }
  static inputToVolume(value, order = 1.5) {
    return Number(value) ** order;
  }
  static volumeToInput(volume, order = 1.5) {
    return volume ** (1 / order);
  }
  static hasAudioExtension(src) {
    return CONST.AUDIO_FILE_EXTENSIONS[src.split('.').at(-1)?.toLowerCase()] !== undefined;
  }
}

class ImageHelper {
  static async createThumbnail(src) {
    return { src, thumb: 'data:image/png;base64,', width: 300, height: 100 };
  }
  static hasImageExtension(src) {
    return CONST.IMAGE_FILE_EXTENSIONS[src.split('.').at(-1)?.toLowerCase()] !== undefined;
  }
  static async canvasToBase64(canvas, type, quality) {
    return canvas.toDataURL(type, quality);
  }
  static async uploadBase64(base64, fileName, filePath) {
    const file = new File([await (await fetch(base64)).blob()], fileName);
    return FilePicker.upload('data', filePath, file);
  }
  static compositeCanvasTexture() {
    throw new Error('The stand-in draws no canvas');
  }
  static textureToImage() {
    throw new Error('The stand-in draws no canvas');
  }
}

const made = {};

export function createMedia() {
  declare('FilePicker', { more: { options: '12-14', browse: 'static 12-14' } });
  declare('TextEditor');
  declare('Sound');
  // `play` is static and of instances.
  declare('AudioHelper', { more: everywhere(['*play']) });
  declare('ImageHelper');
  for (const [name, cls] of Object.entries({ FilePicker, TextEditor, AudioHelper, ImageHelper, Sound }))
    made[name] = strictClass(cls, name);
  return made;
}

export const audio = () => new AudioHelper();
