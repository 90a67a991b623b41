import { type FieldError, ServiceError } from './service-error.ts';

// Faults of requests in the form of another service's API, whose callers know its names of our fields.

/** Uses the other API's paths and words. Other errors name our fields. */
export class ForeignNamedError extends ServiceError {}

/** By our names. Fields that aren't listed have the same name there. */
export type Names = Readonly<Record<string, string>>;

export function renamed({ path, message }: FieldError, names: Names): FieldError {
  const [first = '', ...rest] = path.split('.');
  return { path: [nameIn(names, first), ...rest].join('.'), message: withNames(message, names) };
}

type EmailNames = { readonly email: Names; readonly attachment: Names };

/** Attachments have separate names. */
export const faultsOfForeignEmail = (
  error: ServiceError,
  { email, attachment }: EmailNames,
): readonly FieldError[] => {
  const { errors = [] } = error;
  if (error instanceof ForeignNamedError) return errors;
  return errors.map((fault) => {
    const [first = '', ...rest] = fault.path.split('.');
    if (first !== 'attachments') return renamed(fault, email);
    const path = [nameIn(email, first), ...rest.map((part) => nameIn(attachment, part))].join('.');
    return { path, message: withNames(fault.message, attachment) };
  });
};

/** Replaces only whole words that can mean nothing else. */
const withNames = (message: string, names: Names): string =>
  message.replaceAll(/\b[a-z]+[A-Z]\w*\b/g, (word) => nameIn(names, word));

/** Callers choose the names of unknown fields, and `constructor` is one. */
const nameIn = (names: Names, word: string): string =>
  (Object.hasOwn(names, word) ? names[word] : undefined) ?? word;

/** For clients that show nothing else. */
export function faultsInOneText(error: ServiceError, faults: readonly FieldError[]): string {
  if (faults.length === 0) return error.message;
  const texts = faults.map(({ path, message }) =>
    path === '' ? message : `\`${path}\` ${message}`,
  );
  return texts.join('; ');
}
