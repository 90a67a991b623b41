import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The folders of `shared/`. Each imports only those before it. */
const folders = [
  ...[
    'errors',
    'timing',
    'csv',
    'outbound',
    'observability',
    'config',
    'aws',
    'tokens',
    'stored-content',
    'table',
  ],
  ...[
    'audit',
    'declarations',
    'organizations',
    'access',
    'oidc',
    'passkeys',
    'notices',
    'webhooks',
  ],
  ...[
    'webhook-deliveries',
    'notice-targets',
    'contacts',
    'suppressions',
    'preferences',
    'domains',
    'events',
  ],
  ...['tracking', 'attachments', 'pages', 'http', 'endpoints', 'templates', 'identity', 'email'],
  ...['sending', 'send-history', 'usage', 'postmark', 'resend'],
];

type Rule = {
  readonly why: string;
  readonly in: RegExp;
  readonly but?: RegExp;
  /** A file of ours by its path from the top, without its ending, or a module of a package. */
  readonly never: RegExp;
  readonly unless?: RegExp;
};

const sdk = /^(?:@aws-sdk|@smithy|@aws-lambda-powertools|aws-lambda)\b/;
const stores = /^shared\/(?:table\/|.*-store$)/;

const rules: readonly Rule[] = [
  {
    why: 'zod/mini does: the whole of zod takes 10 ms and 67 KB of a cold start',
    in: /^(?:shared|functions)\//,
    never: /^zod$/,
  },
  {
    why: 'shared/ serves functions and infra, and knows neither',
    in: /^shared\//,
    never: /^(?:functions|infra)\//,
  },
  {
    why: 'rules and operations are pure: the SDK belongs in a store or an adapter',
    in: /^shared\//,
    but: /^shared\/(?:aws|endpoints|http|observability|table)\/|\/secrets-manager\.ts$|\/(?:ses|sqs)-[\w-]+\.ts$|-store\.ts$/,
    never: sdk,
  },
  {
    why: 'only what serves requests knows of HTTP',
    in: /^shared\//,
    but: /^shared\/(?:http|endpoints|postmark|resend)\//,
    never: /^shared\/http\//,
  },
  {
    why: 'a function reaches AWS through shared/',
    in: /^functions\//,
    never: sdk,
  },
  {
    why: 'the console runs in a browser: it speaks to the API alone, and shares pure words only',
    in: /^functions\/show-(?:console|docs)\/app\//,
    never: /^(?:shared\/|node:|zod\b|functions\/[^/]+\/[^/]+$)/,
    unless:
      /^shared\/(?:access\/(?:device|roles|scope-words|scopes)|errors\/(?:nothing-else|errors)|notice-targets\/target-types|suppressions\/bounce-kinds|sending\/own-outcomes|send-history\/(?:listed-outcomes|place-among-events|search-words|send-facts)|templates\/(?:rendering\/template-tags|language-tag|line-difference)|csv\/csv|timing\/day|usage\/(?:reputation-limits|usage-cost)|config\/ses-prices|webhooks\/(?:retry-delay|signature-headers)|webhook-deliveries\/retry-rounds)$/,
  },
  {
    why: 'the command line and the SMTP server speak to the API over HTTP: they know its types only',
    in: /^infra\/(?:manage|smtp)\//,
    never: new RegExp(`^functions/|${stores.source}`),
    unless: /^functions\/api$/,
  },
  {
    why: 'the command line reaches AWS through infra/manage/aws',
    in: /^infra\/(?:manage|smtp)\//,
    but: /^infra\/manage\/aws\//,
    never: sdk,
  },
  {
    why: 'infra imports no function: it reads their declarations, and names their folders',
    in: /^infra\//,
    but: /^infra\/(?:built-files\/build-console\.ts$|(?:docs|local|manage|smtp)\/)/,
    never: /^functions\//,
    unless: /^functions\/(?:routes|endpoints)$/,
  },
  {
    why: 'infra deploys what functions declare: of shared/ it knows declarations, and the names of settings, table and metrics',
    in: /^infra\//,
    but: /^infra\/(?:docs|local|manage|openapi|smtp)\//,
    never: /^shared\//,
    unless:
      /^shared\/(?:access\/(?:roles|sign-in)$|config\/|stored-content\/content-lifetimes$|sending\/later\/schedule-horizon$|endpoints\/|errors\/edit-distance$|observability\/metrics$|table\/(?:keys|list-position|send-keys|table-attributes)$)/,
  },
  {
    why: 'the description is made of what functions declare, by neither CDK nor the twin',
    in: /^infra\/openapi\//,
    never: /^(?:infra\/(?:constructs|local)\/|aws-cdk-lib|@aws-sdk|functions\/(?!routes$))/,
  },
];

const listFiles = (...folders: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file));

const importing = /^(?:import|export|\} from)\b.*?'([^']+)'|\bimport\('([^']+)'\)/gm;
/** Those that Node follows: not the ones of types. */
const loading = /^(?:import|export)(?! type\b)[^;']*?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

const importsOf = (files: readonly string[], pattern = importing) =>
  files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(
      ([, fixed = '', dynamic = fixed]) => ({ file, to: pathOf(dynamic, file) }),
    ),
  );

const files = listFiles('functions', 'infra', 'shared');
const imports = importsOf(files);

function pathOf(specifier: string, file: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (!specifier.startsWith('.')) return specifier;
  return join(dirname(file), specifier).replace(/\.tsx?$/, '');
}

const folderOf = (path: string): string | undefined => /^shared\/([^/]+)\//.exec(path)?.[1];
const functionOf = (path: string): string | undefined => /^functions\/([^/]+)\//.exec(path)?.[1];
const written = ({ file, to }: { readonly file: string; readonly to: string }) => `${file} → ${to}`;

describe('imports', () => {
  it('every folder of shared/ has its place in the order', () => {
    expect([...folders].sort()).toEqual([
      ...new Set(files.flatMap((file) => folderOf(file) ?? [])),
    ]);
  });

  it('a folder of shared/ imports only folders before it', () => {
    const upwards = imports.filter(({ file, to }) => {
      const [from, target] = [folderOf(file), folderOf(to)];
      return from && target && folders.indexOf(target) > folders.indexOf(from);
    });

    expect(upwards.map(written)).toEqual([]);
  });

  it('a function imports nothing of another function, nor of infra/', () => {
    const foreign = imports.filter(({ file, to }) => {
      const own = functionOf(file);
      return own && (to.startsWith('infra/') || (functionOf(to) ?? own) !== own);
    });

    expect(foreign.map(written)).toEqual([]);
  });

  it('no files import each other in a circle, not even types', () => {
    const all = [...imports, ...importsOf(listFiles('test'))].map(({ file, to }) => ({
      from: file.replace(/\.tsx?$/, ''),
      to,
    }));
    let left = all;
    // What imports nothing that is left, or isn't imported any longer, is in no circle.
    for (let before = Infinity; left.length < before; ) {
      before = left.length;
      const importers = new Set(left.map(({ from }) => from));
      const imported = new Set(left.map(({ to }) => to));
      left = left.filter(({ from, to }) => importers.has(to) && imported.has(from));
    }

    expect(left.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('the twin loads no CDK, which takes over a second', () => {
    const byFile = Map.groupBy(importsOf(files, loading), ({ file }) =>
      file.replace(/\.tsx?$/, ''),
    );
    const loaded = new Set(['infra/local/start']);
    for (const path of loaded) for (const { to } of byFile.get(path) ?? []) loaded.add(to);

    expect(loaded).toContain('infra/local/gateway/gateway');
    expect([...loaded].filter((path) => /^(?:aws-cdk-lib|constructs)\b/.test(path))).toEqual([]);
  });

  it.each(rules.map((rule) => [rule.why, rule] as const))('%s', (_, rule) => {
    const forbidden = imports.filter(
      ({ file, to }) =>
        rule.in.test(file) &&
        !rule.but?.test(file) &&
        rule.never.test(to) &&
        !rule.unless?.test(to),
    );

    expect(forbidden.map(written)).toEqual([]);
  });

  it.each(rules)('no rule is about files and imports that there are no longer', (rule) => {
    expect(files.some((file) => rule.in.test(file))).toBe(true);
    expect(rule.but === undefined || files.some((file) => rule.but?.test(file))).toBe(true);
    expect(imports.some(({ to }) => rule.never.test(to))).toBe(true);
    expect(rule.unless === undefined || imports.some(({ to }) => rule.unless?.test(to))).toBe(true);
  });
});
