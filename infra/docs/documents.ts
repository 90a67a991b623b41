import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export const groups = ['Guides', 'Tasks', 'Operating', 'API reference', 'More'] as const;
export type Group = (typeof groups)[number];

export type Page = {
  /** Below `/docs/`; empty for the first page. */
  readonly path: string;
  readonly title: string;
  readonly group: Group;
  readonly markdown: string;
};

const root = join(import.meta.dirname, '../..');
const guides = 'functions/show-docs/guides';

/** The documents that are pages, in the order of the menu. Each is a file of the repository. */
const documents: readonly (readonly [group: Group, path: string, file: string])[] = [
  ['Guides', '', `${guides}/start.md`],
  ['Guides', 'move-from-resend', `${guides}/move-from-resend.md`],
  ['Guides', 'custom-domain', `${guides}/custom-domain.md`],
  ['Guides', 'leave-the-sandbox', `${guides}/leave-the-sandbox.md`],
  ['Guides', 'verify-webhooks', `${guides}/verify-webhooks.md`],
  ['Tasks', 'tasks', 'functions/README.md'],
  ['Tasks', 'retries', `${guides}/retries.md`],
  ['Tasks', 'templates', `${guides}/templates.md`],
  ['Tasks', 'webhooks', `${guides}/webhooks.md`],
  ['Tasks', 'resend', 'functions/RESEND.md'],
  ['Tasks', 'coming-from', 'functions/COMING-FROM.md'],
  ['Operating', 'operating', 'infra/README.md'],
  ['Operating', 'runbook', 'infra/RUNBOOK.md'],
  ['Operating', 'organizations', `${guides}/organizations.md`],
  ['Operating', 'upgrade', `${guides}/upgrade.md`],
  ['Operating', 'restore', `${guides}/restore.md`],
  ['Operating', 'remove', `${guides}/remove.md`],
  ['More', 'changelog', 'CHANGELOG.md'],
];

const pathOfFile: ReadonlyMap<string, string> = new Map(
  documents.map(([, path, file]) => [file, path]),
);

/** The address of a page. */
export const addressOf = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`);

export const documentPages = (): readonly Page[] =>
  documents.map(([group, path, file]) => {
    const markdown = withPageLinks(readFileSync(join(root, file), 'utf8'), file);
    const [, title = ''] = /^# (.+)$/m.exec(markdown) ?? [];
    return { path, title, group, markdown };
  });

/** Turns links to files into links to their pages. Of a link to a file without a page, only the words stay. */
const withPageLinks = (markdown: string, file: string): string =>
  markdown.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, target: string) => {
    if (/^(?:https:|#|\/)/.test(target)) return link;
    const [name = '', anchor] = target.split('#');
    const path = pathOfFile.get(posix.join(posix.dirname(file), name));
    if (path === undefined) return words;
    return `[${words}](${addressOf(path)}${anchor === undefined ? '' : `#${anchor}`})`;
  });

/** The file of a page as Markdown. */
export const markdownAddressOf = (path: string): string => `/docs/${path || 'index'}.md`;

/** A page as Markdown, with its links leading to Markdown as well. */
export const markdownOf = ({ markdown }: Page): string =>
  markdown.replaceAll(
    /\]\(\/docs(?:\/([^)#\s]+))?(#[^)\s]+)?\)/g,
    (_, path: string | undefined, anchor = '') => `](${markdownAddressOf(path ?? '')}${anchor})`,
  );

/** The programs in a guide that have a file name, as blocks of code. */
export const namedProgramsOf = (guide: string): readonly string[] =>
  readFileSync(join(root, guides, guide), 'utf8').match(/^```\w+ \S+\n.*?^```$/gms) ?? [];
