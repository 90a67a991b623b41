import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Method, methods, type RouteKey } from '#shared/endpoints/endpoint';
import * as resourcePaths from '#shared/endpoints/resource-paths';
import type { EndpointName } from '../functions/endpoints.ts';
import { endpointOf, routes } from '../functions/routes.ts';

const repository = resolve(import.meta.dirname, '..');

type NewRoute = { readonly key: RouteKey; readonly method: Method; readonly path: string };

export function parseRoute(text = ''): NewRoute {
  const [name, path = ''] = text.split(' ');
  const method = methods.find((one) => one === name);
  if (method === undefined || !/^(?:\/(?:[\w.-]+|\{\w+\+?\}))+$/.test(path)) {
    throw new Error('Usage: npm run new:endpoint -- "GET /api/v1/things/{id}" [verb-noun]');
  }
  return { key: `${method} /${path.slice(1)}`, method, path };
}

/**
 * Writes the endpoint and its test. It is listed after the one with the most similar path, whose access,
 * section and stack it gets.
 *
 * @returns the paths of the files.
 */
export function makeEndpoint(
  root: string,
  route: NewRoute,
  name = nameOf(route),
): readonly string[] {
  if (!/^[a-z]+(?:-[a-z]+)*$/.test(name)) throw new Error(`${name} isn't a name like get-thing`);
  if (existsSync(join(root, 'functions', name))) {
    throw new Error(`functions/${name} already exists. Pass another name as the second argument`);
  }
  if (routes.some(({ key }) => key === route.key)) throw new Error(`${route.key} already exists`);
  const neighbour = neighbourOf(route);
  const list = 'functions/endpoints.ts';
  const files: Readonly<Record<string, string>> = {
    [`functions/${name}/${name}.ts`]: endpointFor(route, neighbour),
    [`test/functions/${name}/${name}.test.ts`]: testOf(name),
    [list]: listedAfter(neighbour, name, readFileSync(join(root, list), 'utf8')),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), formatted(path, text));
  }
  return Object.keys(files);
}

const verbs = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'put',
  PATCH: 'update',
  DELETE: 'delete',
} as const satisfies Record<Method, string>;

/** For example `get-webhook` for `GET /api/v1/webhooks/{id}`. */
export function nameOf(route: NewRoute): string {
  const { method } = route;
  const path = route.path.replace(/^(?:\/api)?(?:\/v\d+)?\//, '');
  const segments = path.split('/');
  const nouns = segments.flatMap((segment, index) => {
    if (isParameter(segment)) return [];
    const next = segments[index + 1];
    const isOne = next === undefined ? method === 'POST' : isParameter(next);
    return [isOne ? singular(segment) : segment];
  });
  return [isList(route) ? 'list' : verbs[method], ...nouns].join('-');
}

const isParameter = (segment: string): boolean => segment.startsWith('{');
const isList = ({ method, path }: NewRoute): boolean =>
  method === 'GET' && /(?<!s|u|setting)s$/.test(path);

const singular = (noun: string): string =>
  noun
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');

/**
 * The last of those whose paths share the most leading segments, with the same method if there is one: a read needs
 * another scope than a change.
 */
function neighbourOf({ method, path }: NewRoute): EndpointName {
  const likeness = routes.map(
    (other) => 2 * equalSegments(path, other.path) + Number(other.method === method),
  );
  const nearest = routes[likeness.lastIndexOf(Math.max(...likeness))];
  if (nearest === undefined) throw new Error('There are no endpoints');
  return nearest.functionName;
}

function equalSegments(one: string, other: string): number {
  const others = other.split('/');
  const segments = one.split('/');
  const different = segments.findIndex((segment, index) => segment !== others[index]);
  return different === -1 ? segments.length : different;
}

/** To be replaced: the generic tests refuse it as a summary. */
const todo = 'TODO';

function endpointFor(route: NewRoute, neighbour: EndpointName): string {
  const { lambda, words } = endpointOf(neighbour);
  const parameters = [...route.path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => name);
  const hasPath = parameters.length > 0;
  const resource = resourceOf(route);
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(route.method);
  const fieldsOf = (value: string) => parameters.map((name) => `${name}: ${value}`).join(', ');
  const example = [
    ...(hasPath ? [`path: { ${fieldsOf(`'${todo}'`)} }`] : []),
    ...(isList(route) ? [`query: { limit: '20' }`] : []),
    ...(hasBody ? ['body: {}'] : []),
  ];
  const parts = [
    `route: '${route.key}'`,
    `access: ${accessOf(neighbour)}`,
    ...(resource ? [`...${resource}`] : []),
    ...(hasPath && !resource ? [`path: z.object({ ${fieldsOf('z.string()')} })`] : []),
    ...(isList(route) ? ['query: z.strictObject(pageQueryFields)'] : []),
    ...(hasBody ? ['body: z.strictObject({})'] : []),
    `answers: { ${answerTo(route)} }`,
    `lambda: {${lambda.stack ? ` stack: '${lambda.stack}',` : ''} tableActions: ['GetItem'] }`,
    `words: {
      section: '${words.section}', summary: '${todo}', description: '${todo}',
      ${example.length > 0 ? `example: { ${example.join(', ')} }` : ''}
    }`,
  ].join(',\n');
  return `${parts.includes('z.') ? "import * as z from 'zod/mini';\n" : ''}import { defineEndpoint } from '#shared/endpoints/endpoint';
${resource ? `import { ${resource} } from '#shared/endpoints/resource-paths';\n` : ''}${isList(route) ? "import { pageQueryFields, pageSchema } from '#shared/table/list-position';\n" : ''}
export const endpoint = defineEndpoint({ ${parts} }, async () => {
  throw new Error('${todo}');
});
`;
}

/** The path of another endpoint below the same resource, if `resource-paths.ts` has it. */
function resourceOf({ path }: NewRoute) {
  const own = path.slice(0, path.lastIndexOf('}') + 1);
  const paths = routes
    .filter((other) => own !== '' && other.path.startsWith(own))
    .map(({ functionName }) => endpointOf(functionName).path);
  return Object.entries(resourcePaths).find(
    ([, one]) => 'path' in one && paths.includes(one.path),
  )?.[0];
}

const isForOperator = (neighbour: EndpointName): boolean =>
  endpointOf(neighbour).access === 'operator';

function accessOf(neighbour: EndpointName): string {
  const { access } = endpointOf(neighbour);
  if (isForOperator(neighbour)) return `'operator'`;
  return typeof access === 'object'
    ? JSON.stringify({ ...access, key: 'required' })
    : `{ key: 'required', scope: 'manage_organization' }`;
}

function answerTo(route: NewRoute): string {
  if (route.method === 'DELETE') return `204: { description: '${todo}' }`;
  if (isList(route)) {
    return `200: { body: pageSchema(z.object({})), description: '${todo}', example: { data: [], nextCursor: null } }`;
  }
  const status = route.method === 'POST' ? 201 : 200;
  return `${status}: { body: z.object({}), description: '${todo}', example: {} }`;
}

const testOf = (name: string): string =>
  `import { expect, it } from 'vitest';
import { endpoint } from '../../../functions/${name}/${name}.ts';

it('${todo}', () => {
  expect.fail(\`Say what \${endpoint.route} does, and test it\`);
});
`;

function listedAfter(neighbour: EndpointName, name: string, text: string): string {
  const entry = new RegExp(`^  '?${neighbour}'?: [^;]*?\\.endpoint,\\n`, 'm').exec(text);
  if (entry === null) throw new Error(`functions/endpoints.ts doesn't list ${neighbour}`);
  const end = entry.index + entry[0].length;
  const line = `  '${name}': (await import('./${name}/${name}.ts')).endpoint,\n`;
  return text.slice(0, end) + line + text.slice(end);
}

const formatted = (path: string, input: string): string =>
  execFileSync(
    join(repository, 'node_modules/.bin/biome'),
    ['format', `--stdin-file-path=${path}`],
    { input, cwd: repository, encoding: 'utf8' },
  );

function report(paths: readonly string[]): void {
  process.stdout.write(`${paths.join('\n')}

Replace each ${todo}; then these say what is missing:
  npm run typecheck
  npx vitest run test/functions/endpoints.test.ts test/infra ${paths[1]}
`);
}

if (process.argv[1] === import.meta.filename) {
  const [route, name] = process.argv.slice(2);
  try {
    report(makeEndpoint(repository, parseRoute(route), name));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
