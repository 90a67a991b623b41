import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultFunction } from '../../functions/endpoints.ts';
import { routes } from '../../functions/routes.ts';
import {
  declaringNames,
  functionCatalogue,
  memoryOf,
} from '../../infra/constructs/function-catalogue.ts';
import {
  functionPath,
  resourceAt,
  resourcesOfType,
  type SynthesisedStack,
  synthesiseStack,
  synthesiseWithSettings,
} from './synthesised-stack.ts';

function functionFolders(): string[] {
  return readdirSync(join(import.meta.dirname, '../../functions'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

describe('the function catalogue', () => {
  it('deploys every folder under functions/ by its own name, except custom resources', () => {
    const declaring: readonly string[] = declaringNames;
    const folders = functionFolders().filter((folder) => !declaring.includes(folder));

    const deployed = resourcesOfType(synthesiseStack(), 'AWS::Lambda::Function');
    expect(deployed.map(({ path }) => path).sort()).toEqual(
      folders.map((folder) => functionPath(folder, 'Lambda')).sort(),
    );
  });

  it('declares exactly the functions with a route as HTTP functions', () => {
    const declared = functionCatalogue.filter(({ trigger }) => trigger === 'http-api');

    const routed = new Set<string>([
      defaultFunction,
      ...routes.map(({ functionName }) => functionName),
    ]);
    expect(declared.map(({ name }) => name).sort()).toEqual([...routed].sort());
  });

  it('gives sends memory for the largest email that the settings allow', () => {
    const memoryOfSend = (attachmentsMaxTotalMb: number) =>
      functionCatalogue
        .filter(({ name }) => name === 'send-email')
        .map((one) => memoryOf(one, { attachmentsMaxTotalMb }));
    const deployedWith = (stack: SynthesisedStack) =>
      resourceAt(stack, functionPath('send-email', 'Lambda')).Properties['MemorySize'];

    expect([10, 11, 25].flatMap(memoryOfSend)).toEqual([512, 1024, 1024]);
    expect([synthesiseStack(), synthesiseWithSettings()].map(deployedWith)).toEqual([512, 1024]);
  });
});
