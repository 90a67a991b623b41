import type { DeclaredVariable } from './declared-variables.ts';
import { contentOf, type Template, type Translation } from './template.ts';

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
export const changeContent = ({ name: _, alias: _a, ...content }: TemplateChanges): boolean =>
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
