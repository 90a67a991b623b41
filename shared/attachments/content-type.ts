import { extensionOf } from './file-name.ts';

/** SES API v2 reference, "Attachment", ContentType. */
const maxContentTypeLength = 78;

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quotedText = '"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*"';
/** RFC 2045 §5.1, with the optional space of RFC 9110 §8.3.1. */
const mediaType = new RegExp(`^${token}/${token}(?: ?; ?${token}=(?:${token}|${quotedText}))*$`);
const composite = /^(?:multipart|message)\//i;

export function contentTypeFault(contentType: string): string | undefined {
  if (contentType.length > maxContentTypeLength) {
    return `must have at most ${maxContentTypeLength} characters`;
  }
  if (!mediaType.test(contentType)) return 'must be a media type such as application/pdf';
  // RFC 2045 §6.4 forbids base64 for these, and every attachment goes out in base64.
  if (composite.test(contentType)) {
    return 'must not be a multipart or message type: use application/octet-stream';
  }
  return undefined;
}

/** S3 and others send this type for files they know nothing about. A ticket has it if its request names none. */
const saysNothing = /^(?:application|binary)\/octet-stream\b/i;

/** @param stated what the server of a file, or an upload, says. */
export const usableTypeOf = (stated: string | undefined): string | undefined =>
  stated !== undefined && !saysNothing.test(stated) && contentTypeFault(stated) === undefined
    ? stated
    : undefined;

/**
 * SES derives one from the file extension, with a list that it keeps up to date (developer guide, "Working with email
 * attachments in SES"). A file without an extension is `application/octet-stream` (RFC 2046 §4.5.1).
 */
export const fallbackContentType = (filename: string): string | undefined =>
  extensionOf(filename) === undefined ? 'application/octet-stream' : undefined;
