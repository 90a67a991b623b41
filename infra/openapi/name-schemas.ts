import type {
  Content,
  MediaType,
  OpenApiDocument,
  Operation,
  PathItem,
  Schema,
} from './document.ts';
import { methods } from './document.ts';

/**
 * Gives every object of a description a name among its components, after the operation and the field that it is of,
 * and refers to it. Generated clients call their types by these names; without them they make up their own, which
 * change with the order of things. A name depends on its own operation only.
 */
export function nameSchemas(document: OpenApiDocument): OpenApiDocument {
  const schemas: Record<string, Schema> = { ...document.components.schemas };
  const add = (name: string, schema: Schema): Schema => {
    if (name in schemas) throw new Error(`Two schemas would have the name ${name}`);
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
  return {
    ...operation,
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: nameContent(requestBody.content, `${name}Request`, add),
      },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        response.content === undefined
          ? response
          : { ...response, content: nameContent(response.content, `${name}Response`, add) },
      ]),
    ),
  };
}

/** A body in several media types has one schema. */
function nameContent(content: Content, name: string, add: Add): Content {
  const named = new Map<string, Schema>();
  const nameOnce = (media: MediaType): MediaType => {
    const text = JSON.stringify(media.schema);
    const schema = named.get(text) ?? nameObjects(media.schema, name, add);
    named.set(text, schema);
    return { ...media, schema };
  };
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, media]) => [mediaType, nameOnce(media)]),
  );
}

/** Names the objects of a schema from the inside out, and the schema itself if it is one or a choice of several. */
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

/** Tells one of several bodies from the others: by the first field that it alone requires, else that it alone has. */
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
