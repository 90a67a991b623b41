import * as z from 'zod/mini';

/**
 * JSON Schema draft 2020-12, with only the keywords that are read here. The other types are parts of an OpenAPI 3.1
 * document (https://spec.openapis.org/oas/v3.1.1).
 */
export type Schema = {
  readonly [keyword: string]: unknown;
  readonly type?: string | readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly required?: readonly string[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly items?: Schema | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly additionalProperties?: boolean | Schema | undefined;
};

const subschema = z.lazy(() => schemaShape);

export const schemaShape: z.ZodMiniType<Schema> = z.looseObject({
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  description: z.optional(z.string()),
  required: z.optional(z.array(z.string())),
  enum: z.optional(z.array(z.unknown())),
  properties: z.optional(z.record(z.string(), subschema)),
  items: z.optional(subschema),
  anyOf: z.optional(z.array(subschema)),
  additionalProperties: z.optional(z.union([z.boolean(), subschema])),
});

export type Reference = { readonly $ref: string };

export type MediaType = {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference>>;
};
export type Content = Readonly<Record<string, MediaType>>;

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: string | number;
};

export type Response = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
};

export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly description?: string;
    readonly content: Content;
  };
  readonly responses: Readonly<Record<string, Response>>;
};

export const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];
export type PathItem = Readonly<Partial<Record<Method, Operation>>>;

export type OpenApiDocument = {
  readonly openapi: '3.1.1';
  readonly info: Readonly<Record<string, unknown>> & {
    readonly title: string;
    readonly description: string;
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<
      Record<string, { readonly description: string; readonly schema: Schema }>
    >;
    readonly examples: Readonly<
      Record<string, { readonly summary: string; readonly value: unknown }>
    >;
    readonly securitySchemes: Readonly<
      Record<string, Readonly<Record<string, string>> & { readonly description: string }>
    >;
  };
};
