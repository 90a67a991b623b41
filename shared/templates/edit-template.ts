import type { Caller } from '#shared/access/admit-caller';
import { ServiceError } from '#shared/errors/service-error';
import type { TableAndClock } from '#shared/table/table-client';
import { addTemplate, requireOwnLayout, type TemplateAddition } from './add-template.ts';
import { changeTemplate, type OfTemplate } from './change-template.ts';
import { checkTemplate } from './check-template.ts';
import type { DeclaredVariable } from './declared-variables.ts';
import { findTemplate } from './find-template.ts';
import { contentOf, type Template, type Translation } from './template.ts';
import { templateEntryOf } from './template-audit.ts';
import { deleteTemplate, replaceTemplate } from './template-store.ts';
import { nextVersion, published } from './template-versions.ts';

/**
 * Sends use the change at once, together with an earlier draft, unless it's to be a draft. Changing only names leaves a
 * draft a draft.
 */
export async function updateTemplate(
  request: OfTemplate & { readonly body: TemplateChanges & { readonly draft: boolean } },
  { table, now: readClock }: TableAndClock,
  { mayLackSubject = false } = {},
): Promise<Template> {
  const { caller, body } = request;
  const { draft, ...changes } = body;
  const changesContent = changeContent(changes);
  const change = async (before: Template) => {
    const now = readClock();
    const merged = mergeTemplate(before, changes);
    checkTemplate(merged, {
      changedText: changes.content === null,
      mayLackSubject: mayLackSubject || before.subject === '',
    });
    requireOwnLayout(merged, caller.organizationId);
    const isDraft = changesContent ? draft : before.isDraft === true;
    const after = nextVersion(before, merged, { isDraft, now });
    const entry = templateEntryOf(caller, { before, after }, now);
    return { outcome: await replaceTemplate(table, before, after, entry), after };
  };
  return changeTemplate(table, request, change);
}

export async function publishTemplate(
  request: OfTemplate,
  { table, now: readClock }: TableAndClock,
): Promise<Template> {
  const publish = async (before: Template) => {
    if (!before.isDraft) return { outcome: 'stored' as const, after: before };
    const now = readClock();
    const after = published(before, now);
    const entry = templateEntryOf(request.caller, { before, after }, now);
    return { outcome: await replaceTemplate(table, before, after, entry), after };
  };
  return changeTemplate(table, request, publish);
}

export async function duplicateTemplate(
  {
    caller,
    path,
    body,
  }: {
    readonly caller: Caller;
    readonly path: OfTemplate['path'];
    readonly body: Pick<Template, 'name'> & { readonly alias?: string; readonly draft: boolean };
  },
  service: TemplateAddition,
): Promise<Template> {
  const source = await findTemplate(service.table, caller.organizationId, path.id);
  const { kind } = source;
  const fields = { ...contentOf(source), ...body, ...(kind !== undefined && { kind }) };
  return addTemplate(caller, fields, service, { mayLackSubject: true });
}

/** Refused for a layout that others use. */
export async function deleteUnusedTemplate(
  request: OfTemplate,
  { table, now }: TableAndClock,
): Promise<undefined> {
  const remove = async (before: Template) => {
    if (before.layoutUses) throw new ServiceError('layout_in_use');
    const entry = templateEntryOf(request.caller, { before }, now());
    return { outcome: await deleteTemplate(table, before, entry), after: before };
  };
  await changeTemplate(table, request, remove);
}

type Removable = 'htmlContent' | 'content' | 'from' | 'replyTo' | 'layout';
type MapChanges<Value> = Readonly<Record<string, Value | null>> | null;

/** `null` removes a field, or an entry of a map, as in a JSON merge patch (RFC 7396). */
export type TemplateChanges = Partial<Pick<Template, 'name' | 'subject'>> & {
  readonly [Field in 'alias' | Removable]?: Template[Field] | null;
} & {
  readonly variables?: MapChanges<DeclaredVariable> | undefined;
  readonly locales?: MapChanges<Translation> | undefined;
};

/** A change of names alone takes effect at once. */
const changeContent = ({ name: _, alias: _a, ...content }: TemplateChanges): boolean =>
  Object.values(content).some((change) => change !== undefined);

/** Keeps version and times. `check-template.ts` says whether the result may be stored. */
export function mergeTemplate(before: Template, changes: TemplateChanges): Template {
  const { name, alias: aliasBefore, subject, htmlContent, content, ...others } = before;
  const { from, replyTo, variables, layout, locales, ...rest } = others;
  const alias = changed(aliasBefore, changes.alias);
  const after = {
    subject: changes.subject ?? subject,
    htmlContent: changed(htmlContent, changes.htmlContent),
    content: changed(content, changes.content),
    from: changed(from, changes.from),
    replyTo: changed(replyTo, changes.replyTo),
    variables: changedMap<DeclaredVariable>(variables, changes.variables),
    layout: changed(layout, changes.layout),
    locales: changedMap<Translation>(locales, changes.locales),
  };
  return {
    ...rest,
    name: changes.name ?? name,
    ...(alias !== undefined && { alias }),
    ...contentOf(after),
  };
}

const changed = <Value>(
  before: Value | undefined,
  change: Value | null | undefined,
): Value | undefined => (change === undefined ? before : (change ?? undefined));

function changedMap<Value>(
  before: Readonly<Record<string, Value>> = {},
  changes: MapChanges<Value> | undefined,
): Record<string, Value> | undefined {
  const after = Object.entries<Value | null>(changes === null ? {} : { ...before, ...changes });
  const kept = after.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
  if (kept.length === 0) return undefined;
  return Object.fromEntries(kept.map(({ name, value }) => [name, value]));
}
