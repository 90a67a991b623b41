import { hash } from 'node:crypto';
import { nothingElse } from '#shared/errors/nothing-else';
import { contentOf, type TemplateContent } from './template.ts';

/** SHA-256: equal exactly when the content is. Also computed for files on a disk. */
export function contentHashOf(template: TemplateContent): string {
  const { subject, htmlContent, content, from, replyTo, variables, layout, locales, ...rest } =
    contentOf(template);
  nothingElse(rest);
  const parts = [
    ...[subject, htmlContent, content, from, replyTo, layout],
    ...[variables, locales].map(whatIsThere),
  ];
  return hash('sha256', JSON.stringify(parts.map((part) => part ?? null)), 'base64url');
}

/** An empty map counts as none. */
const whatIsThere = (map: Readonly<Record<string, unknown>> | undefined) =>
  map === undefined || Object.keys(map).length === 0 ? undefined : inOneOrder(map);

/** Equal objects give the same JSON text. */
function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOneOrder(member)]));
}
