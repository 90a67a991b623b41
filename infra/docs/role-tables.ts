import { type Role, roles, scopesOfRole } from '#shared/access/roles';
import { scopeWords } from '#shared/access/scope-words';
import { hasScope, type Scope, scopes } from '#shared/access/scopes';
import { keyShownMs } from '#shared/access/sign-in';
import { type KeyAccess, scopesOf } from '#shared/endpoints/endpoint';
import { type RoutedEndpoint, routedEndpoints } from '../openapi/endpoints.ts';
import { anchorOf } from './markdown.ts';

/** What people of each role may call: each endpoint that takes a key, and also a session in its place. */
export const endpointsForPeople: readonly (RoutedEndpoint & { readonly access: KeyAccess })[] =
  routedEndpoints.flatMap((endpoint) => {
    const { access } = endpoint;
    return typeof access === 'string' || access.refusesSessions ? [] : [{ ...endpoint, access }];
  });

export function rolesThatMay(access: KeyAccess): readonly Role[] {
  const { scopeOfPeople } = access;
  const accepted = scopeOfPeople === undefined ? scopesOf(access) : [scopeOfPeople];
  if (accepted.length === 0) return roles;
  return roles.filter((role) => accepted.some((scope) => hasScope(scopesOfRole(role), scope)));
}

export const endpointsHeading = 'Each endpoint';

/** As Markdown: what roles may do in words, then each endpoint. */
export const roleTables = (): string =>
  [
    ...['## What each role may do', aboutRoles, inWords()],
    ...[`## ${endpointsHeading}`, aboutEndpoints, ...bySection()],
  ].join('\n\n');

const aboutRoles =
  'A role is a set of the scopes that API keys have. In addition, people of every role sign in to the console, and read what any key may read, such as templates.';

/** What most roles may do comes first. */
function inWords(): string {
  const rows = scopes
    .map((scope) => ({ scope, having: rolesWith(scope) }))
    .toSorted((one, other) => other.having.length - one.having.length)
    .map(({ scope, having }) => [scopeWords[scope], ...marks(having), `\`${scope}\``]);
  return table(['', ...roles, 'Scope'], rows);
}

const rolesWith = (scope: Scope): readonly Role[] =>
  roles.filter((role) => hasScope(scopesOfRole(role), scope));

const aboutEndpoints = `Each endpoint that takes an API key also takes the session of somebody whose role has one of its scopes. “Recent sign-in” says what needs one within the last ${keyShownMs / 60_000} minutes; giving a key more rights does, too.`;

const bySection = (): readonly string[] =>
  [...Map.groupBy(endpointsForPeople, ({ words }) => words.section)].flatMap(([section, its]) => [
    `### ${section}`,
    table(['Endpoint', ...roles, 'Recent sign-in'], its.map(rowOf)),
  ]);

function rowOf({ at, words, access }: (typeof endpointsForPeople)[number]): readonly string[] {
  const { freshSession = [] } = access;
  const reference = `/docs/api/${anchorOf(words.section)}#${anchorOf(words.summary)}`;
  const fresh =
    freshSession === true ? 'always' : freshSession.map((name) => `\`${name}\``).join(', ');
  return [`[\`${at.key}\`](${reference})`, ...marks(rolesThatMay(access)), fresh];
}

const marks = (having: readonly Role[]): readonly string[] =>
  roles.map((role) => (having.includes(role) ? '✓' : '–'));

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
