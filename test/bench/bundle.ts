import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundling } from '../../infra/constructs/bundling.ts';

const root = join(import.meta.dirname, '../..');

/** What CDK passes to esbuild. */
const deployedOptions = {
  ...bundling,
  mainFields: [...bundling.mainFields],
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
} as const satisfies BuildOptions;

export type Bundle = {
  readonly file: string;
  readonly bytes: number;
  /** The files in it, and the bytes they take there. */
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
};

/** Bundles a function as it is deployed. */
export const bundleFunction = (name: string, directory: string): Promise<Bundle> =>
  bundle({ entryPoints: [`functions/${name}/handler.ts`] }, join(directory, `${name}.mjs`));

/** Bundles a module that is given as text. */
export const bundleText = (contents: string, file: string): Promise<Bundle> =>
  bundle({ stdin: { contents, resolveDir: root } }, file);

async function bundle(input: BuildOptions, outfile: string): Promise<Bundle> {
  const { metafile } = await build({ ...deployedOptions, ...input, outfile, metafile: true });
  const output = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined);
  if (output === undefined) throw new Error(`esbuild made no ${outfile}`);
  return { file: outfile, bytes: output.bytes, inputs: output.inputs };
}

const sdkModule =
  /node_modules\/(@aws-sdk\/(?:client-[\w-]+|lib-dynamodb))\/dist-es\/(?:commands\/)?(\w+(?:Client|Command))\.js$/;

/** A module with nothing but the SDK clients and commands of the bundle. */
export const sdkImportsOf = ({ inputs }: Bundle): string =>
  Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => {
      const [, name = '', symbol = ''] = sdkModule.exec(file) ?? [];
      const unique = `${name}_${symbol}`.replace(/\W/g, '_');
      return symbol === '' ? [] : [`export { ${symbol} as ${unique} } from '${name}';`];
    })
    .sort()
    .join('\n');
