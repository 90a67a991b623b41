import {
  type Content,
  type MediaType,
  methods,
  type OpenApiDocument,
  type Operation,
  type PathItem,
  type Schema,
} from './openapi-types.ts';

/**
 * Makes every object a component, named after its operation and field alone. Generated clients use these names for
 * their types; without them, they make up names that change with the order of things.
 */
export function nameSchemas(document: OpenApiDocument): OpenApiDocument {
  const schemas: Record<string, Schema> = { ...document.components.schemas };
  const add = (name: string, schema: Schema): Schema => {
    if (name in schemas)
      throw new Error(`Two schemas would be named ${name}: name one of them explicitly`);
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  const inAll = (items: OpenApiDocument['paths']) =>
    Object.fromEntries(Object.entries(items).map(([key, item]) => [key, nameIn(item, add)]));
  const paths = inAll(document.paths);
  const webhooks = inAll(document.webhooks);
  return { ...document, paths, webhooks, components: { ...document.components, schemas } };
}

type Add = (name: string, schema: Schema) => Schema;

const nameIn = (item: PathItem, add: Add): PathItem =>
  Object.fromEntries(
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [[method, nameOfOperation(operation, add)]];
    }),
  );

function nameOfOperation(operation: Operation, add: Add): Operation {
  const name = capitalised(operation.operationId);
  const { requestBody, responses } = operation;
  const nameAnswer = nameOnceEach(`${name}Response`, add);
  return {
    ...operation,
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: nameContent(requestBody.content, nameOnceEach(`${name}Request`, add)),
      },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        response.content === undefined
          ? response
          : { ...response, content: nameContent(response.content, nameAnswer) },
      ]),
    ),
  };
}

/** A body in several media types or answers has one schema. */
function nameOnceEach(name: string, add: Add): (schema: Schema) => Schema {
  const named = new Map<string, Schema>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const known = named.get(text) ?? nameObjects(schema, name, add);
    named.set(text, known);
    return known;
  };
}

const nameContent = (content: Content, nameOf: (schema: Schema) => Schema): Content =>
  Object.fromEntries(
    Object.entries(content).map(([mediaType, media]): [string, MediaType] => [
      mediaType,
      { ...media, schema: nameOf(media.schema) },
    ]),
  );

/** From the inside out, including the schema itself if it's an object or a choice of several. */
function nameObjects(schema: Schema, name: string, add: Add): Schema {
  const { properties, items, anyOf, ...rest } = schema;
  const isChoice = (anyOf ?? []).filter(isObject).length > 1;
  const inner: Schema = {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([field, property]) => [
          field,
          nameObjects(property, name + capitalised(field), add),
        ]),
      ),
    }),
    ...(items && { items: nameObjects(items, `${name}Entry`, add) }),
    ...(anyOf && {
      anyOf: anyOf.map((one) =>
        nameObjects(one, isChoice && isObject(one) ? name + ownField(one, anyOf) : name, add),
      ),
    }),
  };
  return isObject(schema) || isChoice ? add(name, inner) : inner;
}

const isObject = ({ type, properties }: Schema): boolean =>
  type === 'object' && properties !== undefined;

/** Distinguishes one of several bodies: the first field that only it requires, else that only it has. */
function ownField(schema: Schema, all: readonly Schema[]): string {
  const ownOf = (fieldsOf: (one: Schema) => readonly string[]) => {
    const others = all.filter((one) => one !== schema).flatMap(fieldsOf);
    return fieldsOf(schema).find((field) => !others.includes(field));
  };
  const own =
    ownOf(({ required = [] }) => required) ??
    ownOf(({ properties = {} }) => Object.keys(properties));
  return own === undefined ? `Option${all.indexOf(schema) + 1}` : `With${capitalised(own)}`;
}

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
