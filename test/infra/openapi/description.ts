import { describeService } from '../../../infra/openapi/describe-service.ts';
import { routedEndpoints } from '../../../infra/openapi/endpoints.ts';
import type { OpenApiDocument, Schema } from '../../../infra/openapi/openapi-types.ts';

/** The description of the service as it is. */
export const describeThisService = async (): Promise<OpenApiDocument> =>
  describeService(routedEndpoints);

/** The paths of the fields in a schema that no words stand with. */
export function fieldsWithoutWords(schema: Schema, path: readonly string[] = []): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(property.description === undefined && schema['$ref'] === undefined
      ? [[...path, name].join('.')]
      : []),
    ...fieldsWithoutWords(property, [...path, name]),
  ]);
  const inner = [schema.items, ...(schema.anyOf ?? [])].flatMap((one) =>
    one === undefined ? [] : fieldsWithoutWords(one, path),
  );
  return [...new Set([...own, ...inner])];
}
