import type { Content, OpenApiDocument, Operation, Parameter, Schema } from './document.ts';
import { methods } from './document.ts';

/**
 * Writes the endpoints of an organization as TypeScript types, for the console: what each takes, and what it
 * answers when all is well. A field that an endpoint loses no longer compiles there.
 */
export function clientTypes({ paths }: OpenApiDocument): string {
  const entries = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1/') && !path.startsWith('/api/v1/organizations'))
    .flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method];
        return operation === undefined
          ? []
          : [`  '${method.toUpperCase()} ${path}': ${operationType(operation)};`];
      }),
    );
  return [
    '// Made of our OpenAPI description by `npm run openapi -- functions/show-console/app/api-types.ts`.',
    '',
    'export type Api = {',
    ...entries,
    '};',
    '',
  ].join('\n');
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const input = [
    parametersType('path', parameters),
    parametersType('query', parameters),
    parametersType('header', parameters),
    requestBody && `body${requestBody.required ? '' : '?'}: ${contentType(requestBody.content)}`,
  ].filter((part) => part !== undefined);
  const [, good] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const answer = good?.content ? contentType(good.content) : 'undefined';
  return `{ input: { ${input.join('; ')} }; answer: ${answer} }`;
}

/** Under which name a call takes the parameters of a place. */
const fieldNames = { path: 'path', query: 'query', header: 'headers' } as const;

function parametersType(
  where: Parameter['in'],
  parameters: readonly Parameter[],
): string | undefined {
  const fields = parameters
    .filter((parameter) => parameter.in === where)
    .map(({ name, required, schema }) => fieldType(name, schema, required));
  const isNeeded = parameters.some((parameter) => parameter.in === where && parameter.required);
  return fields.length === 0
    ? undefined
    : `${fieldNames[where]}${isNeeded ? '' : '?'}: { ${fields.join('; ')} }`;
}

/** JSON where there is a choice; other content is text. */
const contentType = (content: Content): string => {
  const json = content['application/json'];
  return json === undefined ? 'string' : schemaType(json.schema);
};

const fieldType = (name: string, schema: Schema, isRequired: boolean): string =>
  `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${isRequired ? '' : '?'}: ${schemaType(schema)}${isRequired ? '' : ' | undefined'}`;

function schemaType(schema: Schema): string {
  const { anyOf, enum: values, properties, required = [], items, additionalProperties } = schema;
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf) return anyOf.map(schemaType).join(' | ');
  if (items) return `readonly (${schemaType(items)})[]`;
  if (properties) {
    const fields = Object.entries(properties).map(([name, property]) =>
      fieldType(name, property, required.includes(name)),
    );
    return `{ ${fields.join('; ')} }`;
  }
  if (typeof additionalProperties === 'object') {
    return `Readonly<Record<string, ${schemaType(additionalProperties)}>>`;
  }
  return [schema.type ?? 'unknown'].flat().map(plainType).join(' | ');
}

/** A plain type of JSON Schema. */
const plainType = (type: string): string => {
  if (type === 'integer') return 'number';
  return ['string', 'number', 'boolean', 'null'].includes(type) ? type : 'unknown';
};
