import * as z from 'zod';
import { serviceSettings, settingWords } from '../settings/declaration.ts';

/** TypeScript without zod, with the README's words for each setting. */
export function settingsTypes(): string {
  const { properties } = objectShape.parse(z.toJSONSchema(serviceSettings, { io: 'input' }));
  const defaults: Readonly<Record<string, unknown>> = serviceSettings.parse({});
  const lines = Object.entries(serviceSettings.shape).flatMap(([name, schema]) => {
    const { meaning, default: standard } = settingWords.get(schema) ?? {};
    const says = standard ?? JSON.stringify(defaults[name]);
    return [
      `  /** ${plain(meaning ?? '')}.${says === undefined ? '' : ` Default: ${plain(says)}.`} */`,
      `  readonly ${name}?: ${typeOf(schemaShape.parse(properties[name]))};`,
    ];
  });
  return [
    "import type { RetentionDays } from 'aws-cdk-lib/aws-logs';",
    'export interface SettingsProps {',
    ...lines,
    '}',
    '',
  ].join('\n');
}

const objectShape = z.object({ properties: z.record(z.string(), z.unknown()) });

type Schema = {
  readonly type?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly items?: Schema | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
};

const schemaShape: z.ZodType<Schema> = z.object({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  get anyOf() {
    return z.array(schemaShape).optional();
  },
  get items() {
    return schemaShape.optional();
  },
  get properties() {
    return z.record(z.string(), schemaShape).optional();
  },
  required: z.array(z.string()).optional(),
});

function typeOf({ type, enum: values, anyOf, items, properties, required }: Schema): string {
  if (values !== undefined) {
    const isPeriod = values.every((value) => typeof value === 'number');
    return isPeriod ? 'RetentionDays' : values.map((value) => JSON.stringify(value)).join(' | ');
  }
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  if (items !== undefined) return `ReadonlyArray<${typeOf(items)}>`;
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(
      ([name, inner]) =>
        `readonly ${name}${required?.includes(name) ? '' : '?'}: ${typeOf(inner)};`,
    );
    return `{ ${fields.join(' ')} }`;
  }
  const known = { integer: 'number', number: 'number', string: 'string', boolean: 'boolean' };
  const found = Object.entries(known).find(([name]) => name === type)?.[1];
  if (found === undefined)
    throw new Error(
      `Settings of type ${type} have no TypeScript type yet: add it to infra/package/settings-types.ts`,
    );
  return found;
}

const plain = (markdown: string): string => markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
