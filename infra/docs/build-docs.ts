import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build } from 'esbuild';
import { compressFile } from '#shared/endpoints/built-file';
import type { DocsFiles } from '../../functions/show-docs/show-docs.ts';
import { browserBuild } from '../built-files/browser-build.ts';
import type { OpenApiDocument } from '../openapi/openapi-types.ts';
import { docsPage, type RenderedPage, renderPage } from './docs-shell.ts';
import {
  documentPages,
  groups,
  markdownAddressOf,
  markdownOf,
  noPage,
  type Page,
} from './documents.ts';
import { referencePages } from './reference/reference-pages.ts';
import { searchIndex } from './search-index.ts';

const app = join(import.meta.dirname, '../../functions/show-docs/app');

export const docsPages = (document: OpenApiDocument): readonly Page[] => [
  ...documentPages(),
  ...referencePages(document),
];

export async function buildDocs(document: OpenApiDocument): Promise<string> {
  const pages = docsPages(document).map(renderPage);
  const [style, script] = await Promise.all([assetOf('style.css'), assetOf('main.ts')]);
  const head = `<style>${style}</style>\n<script type="module">${script}</script>\n</head>`;
  const drawn = (page: RenderedPage) => docsPage(page, pages).replace(headEnd, () => head);
  const files: DocsFiles = {
    styleHash: hashOf(style),
    scriptHash: hashOf(script),
    noPage: drawn(renderPage(noPage)),
    files: Object.fromEntries([
      ...pages.flatMap((page) => [
        [page.path, { type: 'page', ...compressFile(drawn(page)) }],
        [
          markdownAddressOf(page.path).replace('/docs/', ''),
          { type: 'markdown', ...compressFile(markdownOf(page)) },
        ],
      ]),
      ['search.json', { type: 'index', ...compressFile(JSON.stringify(searchIndex(pages))) }],
    ]),
  };
  return JSON.stringify(files);
}

/** Style and script go before it. They're our own text, so nothing is escaped. */
const headEnd = '</head>';

async function assetOf(name: string): Promise<string> {
  const { outputFiles } = await build({
    ...browserBuild,
    absWorkingDir: app,
    entryPoints: [name],
  });
  return outputFiles[0]?.text.trim() ?? '';
}

/** Content-Security-Policy allows only what has this hash. */
const hashOf = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`;

export function llmsText(document: OpenApiDocument): string {
  const pages = docsPages(document).map(renderPage);
  const listed = groups.map((group) => {
    const its = pages
      .filter((page) => page.group === group)
      .map(({ path, title, sections: [first] }) => {
        const about = first?.summary ? `: ${first.summary}` : '';
        return `- [${title}](${markdownAddressOf(path)})${about}`;
      });
    return `## ${group === 'More' ? 'Optional' : group}\n\n${its.join('\n')}\n`;
  });
  const { title, description } = document.info;
  const [summary = '', ...rules] = description.split('\n\n');
  return `# ${title}\n\n> ${summary}\n\n${rules.join('\n\n')}\n- The whole API as OpenAPI 3.1: /openapi.json\n\n${listed.join('\n')}`;
}
