import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { causeTable } from './cause-table.ts';
import { anchorOf } from './markdown.ts';
import { endpointsHeading, roleTables } from './role-tables.ts';

export const groups = ['Guides', 'Tasks', 'Operating', 'API reference', 'More'] as const;
export type Group = (typeof groups)[number];

export type Page = {
  readonly path: string;
  readonly title: string;
  readonly group: Group;
  readonly markdown: string;
  /** The anchor of the heading where the search stops: what follows mentions everything. */
  readonly searchedUntil?: string;
};

export const noPage: Page = {
  path: 'no-such-page',
  title: 'No such page',
  group: 'More',
  markdown: '# No such page\n\nSearch for it, or choose one from the menu.',
};

const root = join(import.meta.dirname, '../..');
const guides = 'functions/show-docs/guides';

const peoplePath = 'people';
const recipientsPath = 'recipients';

/** Files of the repository, in menu order. */
const documents: readonly (readonly [group: Group, path: string, file: string])[] = [
  ['Guides', '', `${guides}/start.md`],
  ['Guides', 'move-from-resend', `${guides}/move-from-resend.md`],
  ['Guides', 'custom-domain', `${guides}/custom-domain.md`],
  ['Guides', 'leave-the-sandbox', `${guides}/leave-the-sandbox.md`],
  ['Guides', 'go-live', `${guides}/go-live.md`],
  ['Guides', 'verify-webhooks', `${guides}/verify-webhooks.md`],
  ['Tasks', 'tasks', 'functions/README.md'],
  ['Tasks', recipientsPath, `${guides}/recipients.md`],
  ['Tasks', 'retries', `${guides}/retries.md`],
  ['Tasks', 'templates', `${guides}/templates.md`],
  ['Tasks', 'webhooks', `${guides}/webhooks.md`],
  ['Tasks', peoplePath, `${guides}/people.md`],
  ['Tasks', 'resend', 'functions/RESEND.md'],
  ['Tasks', 'postmark', 'functions/POSTMARK.md'],
  ['Tasks', 'smtp', `${guides}/smtp.md`],
  ['Tasks', 'coming-from', 'functions/COMING-FROM.md'],
  ['Operating', 'operating', 'infra/README.md'],
  ['Operating', 'runbook', 'infra/RUNBOOK.md'],
  ['Operating', 'organizations', `${guides}/organizations.md`],
  ['Operating', 'pipeline', `${guides}/pipeline.md`],
  ['Operating', 'upgrade', `${guides}/upgrade.md`],
  ['Operating', 'restore', `${guides}/restore.md`],
  ['Operating', 'remove', `${guides}/remove.md`],
  ['More', 'changelog', 'CHANGELOG.md'],
];

const pathOfFile: ReadonlyMap<string, string> = new Map(
  documents.map(([, path, file]) => [file, path]),
);

export const addressOf = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`);

export const documentPages = (): readonly Page[] =>
  documents.map(([group, path, file]) => {
    const markdown = withPageLinks(readFileSync(join(root, file), 'utf8'), file);
    const [, title = ''] = /^# (.+)$/m.exec(markdown) ?? [];
    const page = { path, title, group, markdown };
    if (path === recipientsPath) return { ...page, markdown: `${markdown}\n${causeTable()}\n` };
    return path === peoplePath ? withRoleTables(page) : page;
  });

const withRoleTables = (page: Page): Page => ({
  ...page,
  markdown: `${page.markdown}\n${roleTables()}\n`,
  searchedUntil: anchorOf(endpointsHeading),
});

/** A link to a file without a page becomes plain text. */
const withPageLinks = (markdown: string, file: string): string =>
  markdown.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, target: string) => {
    if (/^(?:https:|#|\/)/.test(target)) return link;
    const [name = '', anchor] = target.split('#');
    const path = pathOfFile.get(posix.join(posix.dirname(file), name));
    if (path === undefined) return words;
    return `[${words}](${addressOf(path)}${anchor === undefined ? '' : `#${anchor}`})`;
  });

export const markdownAddressOf = (path: string): string => `/docs/${path || 'index'}.md`;

/** Its links lead to Markdown too. */
export const markdownOf = ({ markdown }: Page): string =>
  markdown.replaceAll(
    /\]\(\/docs(?:\/([^)#\s]+))?(#[^)\s]+)?\)/g,
    (_, path: string | undefined, anchor = '') => `](${markdownAddressOf(path ?? '')}${anchor})`,
  );

/** A guide's programs with a file name. */
export const namedProgramsOf = (guide: string): readonly string[] =>
  readFileSync(join(root, guides, guide), 'utf8').match(/^```\w+ \S+\n.*?^```$/gms) ?? [];
