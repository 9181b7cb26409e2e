import { strictSpace } from './strict.js';

/** As much of the renderer as pictures of a scene need: a canvas of the scene's size in its background colour. */

function paint({ width, height }) {
  const element = document.createElement('canvas');
  Object.assign(element, { width: Math.min(width, 4096), height: Math.min(height, 4096) });
  const context = element.getContext('2d');
  context.fillStyle = '#999999';
  context.fillRect(0, 0, element.width, element.height);
  return element;
}

const size = () => ({ width: innerWidth, height: innerHeight, ...canvas.dimensions });

export function createRenderer() {
  const extract = {
    canvas: (_, frame) => paint(frame ?? size()),
    base64: async (_, type, quality) => paint(size()).toDataURL(type, quality),
    image: async () => Object.assign(new Image(), { src: paint(size()).toDataURL() }),
    pixels: (_, frame) =>
      paint(frame ?? size())
        .getContext('2d')
        .getImageData(0, 0, 1, 1).data,
  };
  const scale = { x: 1, y: 1, set() {} };
  const stage = {
    children: [],
    pivot: { x: 0, y: 0, set() {} },
    position: { set() {} },
    scale,
    worldTransform: {},
    toGlobal: (point) => point,
  };
  const view = paint(size());
  const space = (target, name) => strictSpace(target, name, { isOpen: true });
  return {
    app: space(
      {
        view,
        stage,
        screen: size(),
        renderer: space({ extract, render() {}, resolution: 1, screen: size(), view }, 'canvas.app.renderer'),
        ticker: { add() {}, remove() {} },
        render() {},
      },
      'canvas.app',
    ),
    stage: space(stage, 'canvas.stage'),
    interface: space({ visible: true, children: [] }, 'canvas.interface'),
    primary: space({ children: [], background: null, sprite: null }, 'canvas.primary'),
  };
}

class Rectangle {
  constructor(x = 0, y = 0, width = 0, height = 0) {
    Object.assign(this, { x, y, width, height });
  }
}

class Point {
  constructor(x = 0, y = 0) {
    Object.assign(this, { x, y });
  }
}

export const pixi = () =>
  strictSpace(
    { Rectangle, Point, RenderTexture: { create: (options) => ({ ...options, destroy() {} }) } },
    'PIXI',
    { isOpen: true },
  );
