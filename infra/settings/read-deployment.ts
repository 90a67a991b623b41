import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Construct } from 'constructs';
import * as z from 'zod';
import { deploymentSettings, type Settings, serviceSettings } from './declaration.ts';
import { checkSettings, parseSettings, SettingsError, unknownSetting } from './settings.ts';

export type Deployment = { readonly stackName: string; readonly settings: Settings };

type Values = Readonly<Record<string, unknown>>;

const declared: Readonly<Record<string, z.ZodType>> = {
  ...deploymentSettings.shape,
  ...serviceSettings.shape,
};

/**
 * For `infra/app.ts`: CDK context (`cdk.json`, or `--context doubtWindowSeconds=600`) and the file of the stage that
 * `--context stage=<name>` chooses.
 *
 * @throws SettingsError with a line per fault.
 */
export function readDeployment(scope: Construct, stagesFolder: string): Deployment {
  const context = readContext(scope);
  const { stage } = parseSettings(deploymentSettings, only(deploymentSettings, context));
  const file = stage === undefined ? {} : readStage(stagesFolder, stage);
  const twice = Object.keys(file).filter((name) => name in context);
  if (twice.length > 0) {
    throw new SettingsError(
      twice.map(
        (name) =>
          `${name} is both in stages/${stage}.json and in the context (cdk.json or --context): keep it in the file only.`,
      ),
    );
  }
  const values = { ...file, ...context };
  const { stackName } = parseSettings(deploymentSettings, only(deploymentSettings, values));
  return {
    stackName: stackName ?? ['EmailService', ...(stage === undefined ? [] : [stage])].join('-'),
    settings: checkSettings(only(serviceSettings, values)),
  };
}

const only = ({ shape }: z.ZodObject, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in shape));

/** Context of CDK itself and of its plugins has a hyphen, colon or slash in its name; settings have none. */
const looksLikeSetting = /^[A-Za-z]\w*$/;

function readContext(scope: Construct): Values {
  const context = Object.entries<unknown>(scope.node.getAllContext()).filter(([name]) =>
    looksLikeSetting.test(name),
  );
  refuseUnknown(context.map(([name]) => name));
  return Object.fromEntries(
    context.map(([name, value]) => [name, typeof value === 'string' ? read(name, value) : value]),
  );
}

/** The command line gives text. For settings that aren't text, it's JSON: a number or a list. */
function read(name: string, text: string): unknown {
  if (declared[name]?.safeParse(text).success) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const stageFile = z.record(z.string(), z.unknown());

function readStage(folder: string, stage: string): Values {
  const file = join(folder, `${stage}.json`);
  const shown = `stages/${stage}.json`;
  if (!existsSync(file)) throw new SettingsError([`${shown} doesn't exist. ${others(folder)}`]);
  const values = stageFile.safeParse(parseJson(readFileSync(file, 'utf8'), shown));
  if (!values.success) throw new SettingsError([`${shown} must be a JSON object of settings.`]);
  if ('stage' in values.data) {
    throw new SettingsError([`${shown} can't set "stage": the file's name is the stage.`]);
  }
  refuseUnknown(Object.keys(values.data));
  return values.data;
}

function parseJson(text: string, shown: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SettingsError([`${shown} isn't JSON: ${String(error)}`]);
  }
}

function others(folder: string): string {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const stages = files.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
  return stages.length > 0
    ? `Existing stages: ${stages.join(', ')}.`
    : 'Create it: see infra/README.md, Stages.';
}

function refuseUnknown(names: readonly string[]): void {
  const known = Object.keys(declared);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new SettingsError(unknown.map((name) => unknownSetting(name, known)));
  }
}
