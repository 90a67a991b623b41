import * as z from 'zod/mini';
import { type EndpointReference, sections } from '#shared/openapi/endpoint-reference';
import { type Route, routes } from '../../functions/routes.ts';

const namesOfSchemas = [
  'headersSchema',
  'pathSchema',
  'querySchema',
  'requestSchema',
  'responseSchema',
] as const;
const schemasShape = z.partialRecord(z.enum(namesOfSchemas), z.instanceof(z.core.$ZodType));

/** What `functions/<name>/schema.ts` exports: what the endpoint parses by, and what it answers by. */
export type EndpointSchemas = z.output<typeof schemasShape>;

export type Endpoint = {
  readonly route: Route;
  readonly schemas: EndpointSchemas;
  readonly reference: EndpointReference;
};

const functions = new URL('../../functions/', import.meta.url);
const load = async (path: string): Promise<unknown> => import(new URL(path, functions).href);

/** The schemas of a function that a route leads to. */
export const loadSchemas = async (functionName: string): Promise<EndpointSchemas> =>
  schemasShape.parse({ ...Object(await load(`${functionName}/schema.ts`)) });

/** @throws Error naming the file that tells nothing of its endpoint. */
export async function loadReference(functionName: string): Promise<EndpointReference> {
  const path = `${functionName}/reference.ts`;
  const module = await load(path);
  if (!isReferenceModule(module)) throw new Error(`functions/${path} exports no reference`);
  return module.reference;
}

/** Every file ends with `satisfies EndpointReference`, which a test asks for. */
const isReferenceModule = (module: unknown): module is { readonly reference: EndpointReference } =>
  typeof module === 'object' && module !== null && 'reference' in module;

export const loadEndpoint = async (route: Route): Promise<Endpoint> => ({
  route,
  schemas: await loadSchemas(route.functionName),
  reference: await loadReference(route.functionName),
});

/** Every endpoint of the route table, by section, else in the order of the table. */
export async function loadEndpoints(): Promise<readonly Endpoint[]> {
  const endpoints = await Promise.all(routes.map(loadEndpoint));
  return sections.flatMap((section) =>
    endpoints.filter(({ reference }) => reference.section === section),
  );
}
