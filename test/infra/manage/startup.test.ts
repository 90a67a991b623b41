import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the command line loads no AWS SDK module until a command calls AWS', async () => {
  const { metafile } = await build({
    entryPoints: ['infra/manage/main.ts'],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });

  const imports = Object.entries(metafile.inputs).flatMap(([file, input]) =>
    input.imports
      .filter(({ path }) => /^@(aws-sdk|smithy)\//.test(path))
      .map(({ kind, path }) => ({ file, kind, path })),
  );

  expect(imports).toContainEqual(expect.objectContaining({ path: '@aws-sdk/client-sqs' }));
  expect(imports.filter(({ kind }) => kind !== 'dynamic-import')).toEqual([]);
});
