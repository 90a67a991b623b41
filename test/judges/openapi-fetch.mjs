// The example of `functions/README.md`, by the types that openapi-typescript reads in `/openapi.json`.
import { equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [packages] = process.argv.slice(2);
const folder = join(packages, '..');

function run(program, ...given) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...given], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, said: `${stdout}${stderr}` };
}
const runPackage = (program, ...given) => run(join(packages, program), ...given);

const openapi = `${process.env.EMAIL_SERVICE_URL}/openapi.json`;
const written = runPackage('openapi-typescript/bin/cli.js', openapi, '-o', 'email-api.d.ts');
equal(written.status, 0, written.said);

const [, example = ''] =
  readFileSync('functions/README.md', 'utf8').match(/```ts\n(.*?)```/s) ?? [];
const compile = (text) => {
  writeFileSync(join(folder, 'example.mts'), text);
  const strict = ['--strict', '--skipLibCheck', '--types', 'node'];
  const target = ['--module', 'nodenext', '--target', 'es2024'];
  return runPackage('typescript/bin/tsc', '--noEmit', ...strict, ...target, 'example.mts');
};
match(compile(example.replace('{email}', '{mail}')).said, /recipients/);
const compiled = compile(example);
equal(compiled.status, 0, compiled.said);

const ran = run('example.mts');
equal(ran.status, 0, ran.said);
match(ran.said, /^\[/);
