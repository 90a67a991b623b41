import * as z from 'zod/mini';
import { pathTo } from '#shared/endpoints/resource-paths';
import { cut } from '#shared/errors/bounded';
import { cutText } from '#shared/errors/cut-text';
import { invalidField, validationFailed } from '#shared/errors/service-error';
import { given, repeats } from '#shared/http/given-fields';
import { sortableTime } from '#shared/table/keys';
import { maxVariables } from '#shared/templates/check-template';
import { type DeclaredVariables, variableTypes } from '#shared/templates/declared-variables';
import { publishedOf, type Template, type TemplateContent } from '#shared/templates/template';
import { aliasSchema } from '#shared/templates/template-alias';
import { templateFields } from '#shared/templates/template-fields';
import type { ListedTemplate } from '#shared/templates/template-items';
import { type TemplatePosition, templatePositionSchema } from '#shared/templates/template-store';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { templateIdSchema } from '#shared/tokens/resource-id';
import { resendList } from './list-page.ts';
import { resendTime, resendTimeSchema } from './management.ts';

const variable = z.strictObject({
  key: z.string(),
  type: z.enum(variableTypes),
  fallback_value: z.optional(z.unknown()),
});

const optionalFields = {
  subject: given(templateFields.subject),
  alias: given(templateFields.alias),
  from: given(templateFields.from),
  reply_to: given(templateFields.replyTo),
  text: given(templateFields.content),
  variables: given(cut(maxVariables, z.array(variable))),
};

export const resendTemplateSchema = z.strictObject({
  name: templateFields.name,
  html: templateFields.htmlContent,
  ...optionalFields,
});

export const resendTemplateChangeSchema = z.strictObject({
  name: given(templateFields.name),
  html: given(templateFields.htmlContent),
  ...optionalFields,
});

export function toTemplateFields({
  name,
  subject,
  html,
  alias,
  from,
  reply_to,
  text,
  variables,
}: z.output<typeof resendTemplateSchema>): TemplateContent & Pick<Template, 'name' | 'alias'> {
  return {
    name,
    subject: subject ?? '',
    htmlContent: html,
    ...(alias != null && { alias }),
    ...(from != null && { from }),
    ...(reply_to != null && { replyTo: reply_to }),
    ...(text != null && { content: text }),
    ...(variables != null && { variables: declaredBy(variables) }),
  };
}

/** `null` removes an optional field. Given variables replace all. */
export function toTemplateChanges(
  {
    name,
    subject,
    html,
    alias,
    from,
    reply_to,
    text,
    variables,
  }: z.output<typeof resendTemplateChangeSchema>,
  before: Pick<Template, 'variables'>,
) {
  const gone = Object.keys(before.variables ?? {}).map((key) => [key, null] as const);
  return {
    ...(name != null && { name }),
    ...(subject !== undefined && { subject: subject ?? '' }),
    ...(html != null && { htmlContent: html }),
    ...(alias !== undefined && { alias }),
    ...(from !== undefined && { from }),
    ...(reply_to !== undefined && { replyTo: reply_to }),
    ...(text !== undefined && { content: text }),
    ...(variables !== undefined && {
      variables: { ...Object.fromEntries(gone), ...declaredBy(variables ?? []) },
    }),
  };
}

/** A variable without a fallback must be given by each send. */
function declaredBy(variables: readonly z.output<typeof variable>[]): DeclaredVariables {
  const keys = variables.map(({ key }) => key);
  const repeated = keys.findIndex(repeats());
  if (repeated >= 0) throw invalidField(`variables.${repeated}.key`, 'is given twice');
  const declared = Object.fromEntries(
    variables.map(({ key, type, fallback_value: fallback }) => [
      key,
      fallback == null ? { type, required: true } : { type, fallback },
    ]),
  );
  const { data, error } = z.safeParse(templateFields.variables, declared);
  if (data !== undefined) return data;
  const places = new Map(keys.map((key, place) => [key, place]));
  const faults = error.issues.map(({ path: [key, field], message }) => {
    const place = places.get(String(key));
    const name = field === 'fallback' ? 'fallback_value' : 'key';
    return { path: place === undefined ? 'variables' : `variables.${place}.${name}`, message };
  });
  throw validationFailed(faults);
}

export const namedTemplatePath = pathTo(
  { id: z.union([templateIdSchema, aliasSchema]) },
  'template_not_found',
);

export const positionOf = ({
  id,
  createdAt,
}: Pick<Template, 'id' | 'createdAt'>): TemplatePosition =>
  templatePositionSchema.parse(`${sortableTime(createdAt)}#${id}`);

const longestName = 100;

export const copyNameOf = (name: string, copy: number): string => {
  const end = copy === 1 ? ' (copy)' : ` (copy ${copy})`;
  return `${cutText(name, longestName - end.length)}${end}`;
};

export const templateResultSchema = z.object({
  object: z.literal('template'),
  id: templateIdSchema,
});
export const templateResult = ({ id }: Pick<Template, 'id'>) => ({
  object: 'template' as const,
  id,
});

export const listedTemplateSchema = z.object({
  id: templateIdSchema,
  name: z.string(),
  alias: z.nullable(z.string()),
  status: z.enum(['draft', 'published']),
  published_at: z.nullable(resendTimeSchema),
  created_at: resendTimeSchema,
  updated_at: resendTimeSchema,
});

export const resendTemplateViewSchema = z.object({
  object: z.literal('template'),
  ...listedTemplateSchema.shape,
  current_version_id: z.string(),
  from: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  reply_to: z.nullable(z.array(z.string())),
  html: z.nullable(z.string()),
  text: z.nullable(z.string()),
  variables: z.array(
    z.object({
      key: z.string(),
      type: z.enum(variableTypes),
      fallback_value: z.unknown(),
      created_at: resendTimeSchema,
      updated_at: resendTimeSchema,
    }),
  ),
  has_unpublished_versions: z.boolean(),
});

type Listed = Pick<ListedTemplate, 'id' | 'name' | 'alias' | 'createdAt' | 'updatedAt'> & {
  readonly publishedVersion?: number | undefined;
  readonly publishedAt?: number | undefined;
};

export const toListedTemplate = ({
  id,
  name,
  alias,
  publishedVersion,
  publishedAt,
  createdAt,
  updatedAt,
}: Listed) => ({
  id,
  name,
  alias: alias ?? null,
  status: publishedVersion === undefined ? ('draft' as const) : ('published' as const),
  published_at: publishedAt === undefined ? null : resendTime(publishedAt),
  created_at: resendTime(createdAt),
  updated_at: resendTime(updatedAt),
});

export function toResendTemplate(template: Template) {
  const { id, version, from = null, subject, replyTo = null, variables = {}, isDraft } = template;
  const taken = publishedOf(template);
  const listed = toListedTemplate({
    ...template,
    publishedVersion: taken?.version,
    publishedAt: taken?.publishedAt,
  });
  const { created_at, updated_at } = listed;
  return {
    object: 'template' as const,
    ...listed,
    current_version_id: `${id}-${version}`,
    from,
    subject: subject === '' ? null : subject,
    reply_to: replyTo,
    html: template.htmlContent ?? null,
    text: template.content ?? null,
    variables: Object.entries(variables).map(([key, { type, fallback = null }]) => ({
      key,
      type,
      fallback_value: fallback,
      created_at,
      updated_at,
    })),
    has_unpublished_versions: isDraft === true,
  };
}

export const resendTemplateWords = {
  id: 'Its ID or its alias. In an answer, the ID.',
  name: 'Its name, for people. Unique among templates.',
  alias: 'Its name for programs.',
  from: 'The sender, unless the email sets one.',
  subject: 'The subject, in Mustache. Without it, each email must give its own.',
  reply_to: 'Where replies go: one address or a list.',
  html: 'The HTML body, in Mustache: `{{{name}}}` prints as it is, `{{name}}` escaped.',
  text: 'The text body. Without it, emails get the text of `html`.',
  variables: 'The template’s declared variables. A change must give all of them.',
  'variables.key': 'The name of the variable.',
  'variables.type': '`string`, `number`, `boolean`, `object` or `list`.',
  'variables.fallback_value':
    'What prints if an email gives nothing. Without it, the email must give the variable.',
  'variables.created_at': 'As of the template.',
  'variables.updated_at': 'As of the template.',
  status: '`published` once sends can take it, also while a draft waits; else `draft`.',
  published_at: 'When what sends take was published, in ISO 8601.',
  updated_at: 'When it was last changed, in ISO 8601.',
  current_version_id: 'Names its newest content.',
  has_unpublished_versions: 'Whether a draft waits to be published.',
} as const;

const exampleListed = {
  id: exampleIds.template,
  name: 'receipt',
  alias: 'receipt',
  status: 'published',
  published_at: resendTime(exampleTime),
  created_at: resendTime(exampleTime),
  updated_at: resendTime(exampleTime),
} as const;

export const exampleTemplateResult = { object: 'template', id: exampleIds.template } as const;
export const exampleResendTemplates = resendList([exampleListed], false);
export const exampleResendTemplate = {
  object: 'template',
  ...exampleListed,
  current_version_id: `${exampleIds.template}-1`,
  from: null,
  subject: 'Receipt {{order}}',
  reply_to: null,
  html: '<p>Hello {{{name}}}</p>',
  text: null,
  variables: [
    {
      key: 'name',
      type: 'string',
      fallback_value: 'you',
      created_at: resendTime(exampleTime),
      updated_at: resendTime(exampleTime),
    },
  ],
  has_unpublished_versions: false,
} as const;
