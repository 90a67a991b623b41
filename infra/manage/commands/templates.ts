import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod/mini';
import { contentOf, type TemplateContent } from '#shared/templates/template';
import { contentHashOf } from '#shared/templates/template-hash';
import {
  type TemplateSummary,
  type TemplateView,
  templateSummarySchema,
  templateViewSchema,
} from '#shared/templates/template-view';
import { type TemplateId, templateIdSchema } from '#shared/tokens/resource-id';
import { whole } from '../api/answers.ts';
import { type ApiClient, ApiProblem } from '../api/client.ts';
import { type Block, verbatim } from '../drawing/layout.ts';
import { drawTable } from '../drawing/text-table.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { examples } from '../options.ts';
import type { Session, Sessions } from '../session.ts';
import {
  aliasOfFile,
  canBeFiles,
  type FileTemplate,
  fileOfField,
  filesOf,
  isId,
  isTemplateFile,
  templatesIn,
  textOfFile,
} from '../templates/files.ts';
import { stateOf, type TemplateState } from '../templates/template-state.ts';
import { drawDiff, type Sides, unifiedDiff } from '../templates/unified-diff.ts';
import type { Paint } from '../terminal.ts';

export function addTemplates(templates: Command, sessions: Sessions): void {
  templates
    .command('diff')
    .argument('<folder>', 'a folder of templates')
    .description('Shows line by line what pushing a folder would change')
    .addHelpText('after', examples('templates diff emails'))
    .action(async (folder: string, _: unknown, command: Command) => {
      const session = await sessions.open(command);
      const compared = await compare(session, folder, filledFolder(session, folder));
      await showLines(session, compared);
    });
  templates
    .command('pull')
    .argument('<folder>', 'a folder for the templates, created if missing')
    .description('Writes your templates to a folder')
    .option('--force', 'overwrite templates that were changed in the folder')
    .addHelpText('after', examples('templates pull emails'))
    .action(async (folder: string, options: Forced, command: Command) => {
      await pull(await sessions.open(command), folder, options);
    });
  templates
    .command('push')
    .argument('<folder>', 'a folder of templates, or of HTML, such as what React Email exports')
    .description('Publishes the templates of a folder')
    .option('--draft', 'leave them as drafts')
    .option('--force', 'overwrite templates that were changed in the service')
    .addHelpText('after', examples('templates push emails', 'templates push emails --draft'))
    .action(async (folder: string, options: Forced & Drafted, command: Command) => {
      await push(await sessions.open(command), folder, options);
    });
}

type Forced = { readonly force?: boolean };
type Drafted = { readonly draft?: boolean };

type Compared = {
  readonly alias: string;
  readonly state: TemplateState;
  readonly here: FileTemplate | undefined;
  readonly there: TemplateSummary | undefined;
};

type Comparison = {
  readonly api: ApiClient;
  readonly templates: readonly Compared[];
  readonly idOf: (alias: string) => TemplateId | undefined;
  readonly aliasOf: (id: TemplateId) => string | undefined;
};

const isDifferent = ({ state }: Compared): boolean => state !== 'same';

/** Digests of the last common content, by alias. Belongs to this checkout, so it isn't committed. */
const stateFile = '.templates.json';
const stateSchema = z.record(z.string(), z.string());

async function compare(
  session: Session,
  folder: string,
  here: ReadonlyMap<string, FileTemplate>,
): Promise<Comparison> {
  const api = await session.asManager();
  const all = await listAll(api);
  const there = new Map(all.map((one) => [one.alias ?? one.id, one]));
  const idOf = (alias: string) => there.get(alias)?.id;
  const aliasOf = (id: TemplateId) => {
    const found = all.find((one) => one.id === id);
    return found && (found.alias ?? found.id);
  };
  const base = readState(session, folder);
  const aliases = [...new Set([...here.keys(), ...there.keys()])].toSorted();
  const templates: Compared[] = [];
  for (const alias of aliases) {
    const [file, summary] = [here.get(alias), there.get(alias)];
    const state = stateOf({
      here: file && digestOf(file, contentHashOf(withLayout(file, idOf))),
      there: summary && digestOf(summary, summary.contentHash),
      base: base[alias],
    });
    templates.push({ alias, state, here: file, there: summary });
  }
  return { api, templates, idOf, aliasOf };
}

function readFolder({ surroundings }: Session, folder: string): Map<string, FileTemplate> {
  const names = (listed(surroundings, folder) ?? []).filter(isTemplateFile);
  const files = new Map(
    names.map((name) => [name, textOfFile(name, surroundings.readFile(join(folder, name)))]),
  );
  return new Map(templatesIn(files).map((template) => [template.alias, template]));
}

/** Otherwise a misspelt folder would look like one with nothing to push. */
function filledFolder(session: Session, folder: string): Map<string, FileTemplate> {
  const names = listed(session.surroundings, folder);
  if (names === undefined) throw unreadable(folder);
  if (names.some(isTemplateFile)) return readFolder(session, folder);
  throw usageFailure(`${folder} has no templates: no .html, .txt or .json file.`);
}

/** `undefined` if it's missing. */
function listed(
  { listFolder }: Session['surroundings'],
  folder: string,
): readonly string[] | undefined {
  try {
    return listFolder(folder);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing) return undefined;
    throw unreadable(folder);
  }
}

const unreadable = (folder: string): Failure => usageFailure(`The folder ${folder} can't be read.`);

function readState({ surroundings }: Session, folder: string): z.infer<typeof stateSchema> {
  if (!listed(surroundings, folder)?.includes(stateFile)) return {};
  const text = surroundings.readFile(join(folder, stateFile)).toString();
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    throw usageFailure(`${join(folder, stateFile)} is damaged: delete it.`);
  }
}

function noteState(session: Session, folder: string, alias: string, digest: string): void {
  const state = { ...readState(session, folder), [alias]: digest };
  session.surroundings.writeFile(join(folder, stateFile), `${JSON.stringify(state, null, 2)}\n`);
}

async function listAll(api: ApiClient): Promise<readonly TemplateSummary[]> {
  const pageSchema = z.object({
    data: z.array(templateSummarySchema),
    nextCursor: z.nullable(z.string()),
  });
  const all: TemplateSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = whole(
      pageSchema,
      await api.ask('GET /api/v1/templates', { query: { limit: '100', cursor } }),
    );
    all.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

const read = async (api: ApiClient, id: TemplateId): Promise<TemplateView> =>
  whole(templateViewSchema, await api.ask('GET /api/v1/templates/{id}', { path: { id } }));

const digestOf = ({ name, kind }: Pick<FileTemplate, 'name' | 'kind'>, contentHash: string) =>
  hash('sha256', JSON.stringify([name, kind ?? null, contentHash]), 'base64url');

const withLayout = (
  { layout, content }: FileTemplate,
  idOf: Comparison['idOf'],
): TemplateContent => {
  if (layout === undefined) return content;
  // An unknown layout must differ from all others.
  const id = idOf(layout) ?? templateIdSchema.parse(`tpl_${'a'.repeat(32)}`);
  return { ...content, layout: id };
};

const stateColumns = [
  ['TEMPLATE', ({ alias }: Compared) => alias],
  ['STATE', ({ state }: Compared) => state],
] as const;

async function showLines({ terminal }: Session, compared: Comparison): Promise<void> {
  const different = compared.templates.filter(isDifferent);
  const shown: { alias: string; state: TemplateState; diff: readonly string[] }[] = [];
  for (const one of different) {
    const diff = unifiedDiff(await sidesOf(one, compared));
    shown.push({ alias: one.alias, state: one.state, diff });
  }
  const body = shown.map(({ diff, ...one }) => ({ ...one, diff: diff.join('\n') }));
  terminal.show(body, (paint) => [
    drawStates(different, paint),
    ...shown.flatMap(({ diff }) => ['', verbatim(drawDiff(diff, paint))]),
  ]);
}

/** Reads the content, which lists don't have. */
async function sidesOf({ alias, here, there }: Compared, compared: Comparison): Promise<Sides> {
  const view = there && (await read(compared.api, there.id));
  return {
    there: view && filesOf(fileTemplateOf(alias, view, compared)),
    here: here && filesOf(here),
  };
}

const drawStates = (templates: readonly Compared[], paint: Paint): Block =>
  templates.length === 0 ? 'No differences.' : drawTable(templates, stateColumns, paint);

function showWritten(
  { terminal }: Session,
  compared: Comparison,
  written: readonly Compared[],
): void {
  const left = compared.templates.filter((one) => isDifferent(one) && !written.includes(one));
  const isQuiet = written.length === 0 && left.length > 0;
  terminal.show(
    written.map(({ alias, state }) => ({ alias, state })),
    (paint) => (isQuiet ? '' : drawStates(written, paint)),
  );
  if (left.length > 0) {
    terminal.say(
      `Left alone: ${left.map(({ alias, state }) => `${alias} (${state})`).join(', ')}.`,
    );
  }
}

function refuseConflicts(templates: readonly Compared[], todo: string): void {
  const aliases = templates
    .filter(({ state }) => state === 'changed in both')
    .map(({ alias }) => alias);
  if (aliases.length === 0) return;
  const words = `Changed on both sides, or never in sync: ${aliases.join(', ')}. Nothing was written.`;
  throw new Failure(exitCodes.conflict, 'changed_in_both', words, todo);
}

async function pull(session: Session, folder: string, { force = false }: Forced): Promise<void> {
  const compared = await compare(session, folder, readFolder(session, folder));
  if (!force) {
    refuseConflicts(compared.templates, 'Push first, or overwrite your files with --force.');
  }
  const pulledStates: readonly TemplateState[] = [
    ...(['only there', 'changed there'] as const),
    ...(force ? (['changed in both', 'changed here'] as const) : []),
  ];
  const pulled: Compared[] = [];
  const ambiguous: string[] = [];
  for (const one of compared.templates) {
    const { alias, state, there } = one;
    if (there === undefined || !pulledStates.includes(state)) continue;
    const view = await read(compared.api, there.id);
    const template = fileTemplateOf(alias, view, compared);
    if (!canBeFiles(template)) {
      ambiguous.push(alias);
      continue;
    }
    pulled.push(one);
    const files = filesOf(template);
    for (const name of listed(session.surroundings, folder) ?? []) {
      const isLeft = aliasOfFile(name) === alias && !files.has(name);
      if (isLeft) session.surroundings.removeFile(join(folder, name));
    }
    for (const [name, text] of files) session.surroundings.writeFile(join(folder, name), text);
    noteState(session, folder, alias, digestOf(view, view.contentHash));
  }
  noteSame(session, folder, compared);
  showWritten(session, compared, pulled);
  if (ambiguous.length > 0) {
    throw new Failure(
      exitCodes.failed,
      'alias_of_language',
      `Skipped: ${ambiguous.join(', ')}. Their file names would be read as another template or another language.`,
      'Give them different aliases and pull again.',
    );
  }
}

function fileTemplateOf(alias: string, view: TemplateView, { aliasOf }: Comparison): FileTemplate {
  const { layout, ...content } = contentOf(view);
  return {
    alias,
    name: view.name,
    kind: view.kind,
    layout: layout && (aliasOf(layout) ?? layout),
    content,
  };
}

async function push(
  session: Session,
  folder: string,
  { force = false, draft = false }: Forced & Drafted,
): Promise<void> {
  const compared = await compare(session, folder, filledFolder(session, folder));
  if (!force) {
    refuseConflicts(
      compared.templates,
      'Pull first, or overwrite the service’s templates with --force.',
    );
  }
  const pushedStates: readonly TemplateState[] = [
    ...(['only here', 'changed here'] as const),
    ...(force ? (['changed in both', 'changed there'] as const) : []),
  ];
  const written: Compared[] = [];
  const ids = new Map<string, TemplateId>();
  const idOf = (alias: string) => ids.get(alias) ?? compared.idOf(alias);
  // Layouts first, because templates name them.
  const inOrder = compared.templates.toSorted((one, other) => rankOf(one) - rankOf(other));
  for (const one of inOrder) {
    const { alias, state, here, there } = one;
    if (here === undefined) continue;
    const isUnpublished = there !== undefined && there.publishedVersion !== there.version;
    if (pushedStates.includes(state)) {
      const view = await write(compared.api, here, there, { idOf, draft }).catch((error) => {
        throw error instanceof ApiProblem
          ? error.where((path) => `${fileOfField(alias, path)}: ${path}`)
          : error;
      });
      ids.set(alias, view.id);
      noteState(session, folder, alias, digestOf(view, view.contentHash));
    } else if (state === 'same' && isUnpublished && !draft) {
      await publish(compared.api, there);
    } else {
      continue;
    }
    written.push(one);
  }
  noteSame(session, folder, compared);
  showWritten(session, compared, written);
}

const rankOf = ({ here }: Compared): number => (here?.kind === 'layout' ? 0 : 1);

/** Templates may have become the same without this folder's doing. */
function noteSame(session: Session, folder: string, { templates, idOf }: Comparison): void {
  const known = readState(session, folder);
  for (const { alias, state, here } of templates) {
    if (state !== 'same' || here === undefined) continue;
    const digest = digestOf(here, contentHashOf(withLayout(here, idOf)));
    if (known[alias] !== digest) noteState(session, folder, alias, digest);
  }
}

const publish = (api: ApiClient, { id, version }: TemplateSummary) =>
  api.ask('POST /api/v1/templates/{id}/publish', { path: { id }, headers: ifMatch(version) });

const ifMatch = (version: number) => ({ 'if-match': `"${version}"` });

type Writing = { readonly idOf: Comparison['idOf'] } & Required<Drafted>;

/** Overwrites only the version that was compared. */
async function write(
  api: ApiClient,
  here: FileTemplate,
  there: TemplateSummary | undefined,
  { idOf, draft }: Writing,
): Promise<TemplateView> {
  const { alias, name, kind, layout } = here;
  if (layout !== undefined && idOf(layout) === undefined) {
    throw usageFailure(`${alias}.json: there's no layout called ${layout}.`);
  }
  const content = withLayout(here, idOf);
  if (there === undefined && isId(alias)) {
    throw usageFailure(
      `${alias}.json: there's no template with this id. To create one, rename its files to an alias.`,
    );
  }
  if (there === undefined) {
    const { subject, ...rest } = content;
    const words = kind === 'layout' ? rest : { ...rest, subject };
    const body = { alias, name, kind, ...words, draft };
    return whole(templateViewSchema, await api.ask('POST /api/v1/templates', { body }));
  }
  if (there.kind !== kind) {
    throw usageFailure(`${alias}: a template can't become a layout, nor a layout a template.`);
  }
  const path = { id: there.id };
  const body = { name, ...changesTo(await read(api, there.id), content), draft };
  const request = { path, body, headers: ifMatch(there.version) };
  return whole(templateViewSchema, await api.ask('PUT /api/v1/templates/{id}', request));
}

function changesTo(before: TemplateContent, content: TemplateContent) {
  const { htmlContent, content: text, from, replyTo, variables, layout, locales } = content;
  return {
    subject: content.subject,
    ...orNull({ htmlContent, content: text, from, replyTo, layout }),
    variables: { ...goneFrom(before.variables), ...variables },
    locales: { ...goneFrom(before.locales), ...locales },
  };
}

const orNull = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null]));

const goneFrom = (map: Readonly<Record<string, unknown>> = {}) =>
  Object.fromEntries(Object.keys(map).map((name) => [name, null]));
