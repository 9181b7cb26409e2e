import { Readable } from 'node:stream';

/** The files of a world's server, in memory: what `FilePicker` lists, makes and uploads. */

const uploadable =
  /\.(aac|apng|avif|bmp|csv|flac|gif|jpe?g|json|m4a|md|mp3|mp4|ogg|opus|pdf|png|svg|tsv|txt|wav|webm|webp|woff2?|xml|ya?ml)$/i;

const parentOf = (name) => name.split('/').slice(0, -1).join('/');

export function createFiles() {
  const stored = new Map();
  const folders = new Set(['', 'assets', 'modules', 'worlds', 'systems']);

  const actions = {
    browse({ target, extensions = '[]' }) {
      if (!folders.has(target))
        throw new Error(`Directory ${target} does not exist or is not accessible in this storage location`);
      const wanted = JSON.parse(extensions);
      const files = [...stored.keys()].filter((name) => parentOf(name) === target);
      const dirs = [...folders].filter((name) => name !== '' && parentOf(name) === target);
      const shown = files.filter(
        (name) => wanted.length === 0 || wanted.some((extension) => name.endsWith(extension)),
      );
      return {
        target,
        private: false,
        dirs,
        privateDirs: [],
        files: shown,
        extensions: wanted,
        gridSize: null,
      };
    },
    create({ target }) {
      if (folders.has(target)) throw new Error(`EEXIST: file already exists, mkdir '${target}'`);
      if (!folders.has(parentOf(target)))
        throw new Error(`ENOENT: no such file or directory, mkdir '${target}'`);
      folders.add(target);
      return { target };
    },
    async upload({ target, upload }) {
      if (!folders.has(target)) throw new Error(`Directory ${target} does not exist`);
      if (!uploadable.test(upload.name))
        throw new Error(`${upload.name} has an extension that may not be uploaded`);
      const name = target === '' ? upload.name : `${target}/${upload.name}`;
      stored.set(name, Buffer.from(await upload.arrayBuffer()));
      return { status: 'success', path: name, message: `${name} was uploaded` };
    },
  };
  const needed = { browse: 'FILES_BROWSE', create: 'FILES_UPLOAD', upload: 'FILES_UPLOAD' };

  return {
    get: (name) => stored.get(name),
    set(name, content) {
      stored.set(name, Buffer.from(content));
      for (let at = parentOf(name); at !== ''; at = parentOf(at)) folders.add(at);
    },
    names: () => [...stored.keys()],
    async answer(action, request, { response, may }) {
      const send = (body) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (!may(needed[action])) return send({ error: `You lack the permission ${needed[action]}` });
      const form = await new Response(Readable.toWeb(request), {
        headers: { 'content-type': request.headers['content-type'] },
      }).formData();
      const fields = Object.fromEntries(form.entries());
      try {
        send(await actions[action](fields));
      } catch (error) {
        send({ error: error.message });
      }
    },
  };
}
