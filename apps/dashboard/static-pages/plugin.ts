import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { errorPages } from './error-pages.ts';
import { guidePages, guidePictures, guideTexts, llmsText } from './guide-pages.ts';
import { firstScript, withFirstScript } from './first-script.ts';
import { pageDocuments } from './page-documents.ts';
import { docs, picturePath } from './pictures.ts';
import { searchIndex } from './search-index.ts';
import { fillTemplate, headerHtml } from './static-page.ts';

const template = 'static-page.html';

/** Writes the guides, the error pages and the documents of pages into the build, and beside each file its bytes as Brotli and gzip pack them. */
export function staticPages(): Plugin {
  let folder = '';
  return {
    name: 'static-pages',
    apply: 'build',
    configResolved({ root, build }) {
      folder = path.resolve(root, build.outDir);
    },
    transformIndexHtml: (html, { filename }) =>
      filename.endsWith('docs.html')
        ? withFirstScript(html.replace('<!--header-->', headerHtml('/docs')))
        : html,
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const built = bundle[template];
        if (built?.type !== 'asset') throw new Error(`vite did not build ${template}`);
        delete bundle[template];
        const document = withFirstScript(String(built.source));
        for (const page of [...guidePages(), ...errorPages()])
          this.emitFile({ type: 'asset', fileName: page.file, source: fillTemplate(document, page) });
        for (const { file, text } of guideTexts())
          this.emitFile({ type: 'asset', fileName: file, source: text });
        this.emitFile({ type: 'asset', fileName: 'llms.txt', source: llmsText() });
        for (const file of guidePictures())
          this.emitFile({
            type: 'asset',
            fileName: picturePath(file).slice(1),
            source: readFileSync(path.join(docs, file)),
          });
        const dashboard = bundle['index.html'];
        if (dashboard?.type !== 'asset') throw new Error('vite did not build index.html');
        const index = String(dashboard.source);
        for (const { file, document } of pageDocuments(index, Object.values(bundle)))
          this.emitFile({ type: 'asset', fileName: file, source: document });
        dashboard.source = withFirstScript(index);
        this.emitFile({ type: 'asset', fileName: firstScript.file, source: firstScript.source });
        const sections = JSON.stringify(searchIndex());
        this.emitFile({ type: 'asset', fileName: 'guides/index.json', source: sections });
      },
    },
    closeBundle() {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      for (const file of files.filter((name) => /\.(html|js|css|json|md|txt)$/.test(name)))
        pack(path.join(folder, file));
    },
  };
}

function pack(file: string): void {
  const bytes = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
}
