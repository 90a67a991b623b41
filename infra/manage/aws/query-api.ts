import { Parser } from 'htmlparser2';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import type { AwsAccount } from './aws-account.ts';

/** An element of an answer in XML. */
export type Element = { readonly name: string; readonly children: Element[]; text: string };

type QueryCall = {
  readonly service: 'cloudformation' | 'monitoring';
  readonly version: string;
  readonly action: string;
  readonly parameters: Readonly<Record<string, string>>;
};

/**
 * Calls an API of AWS that speaks forms and XML (the "Query API").
 *
 * @throws Failure with AWS's own code and message.
 */
export async function callQueryApi(
  account: Pick<AwsAccount, 'call'>,
  call: QueryCall,
): Promise<Element> {
  const { service, version, action, parameters } = call;
  const body = new URLSearchParams({ Action: action, Version: version, ...parameters }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, text } = await account.call({ service, headers, body });
  const answer = parseXml(text);
  if (status !== 200)
    throw awsFailure(status, textAt(answer, 'Error', 'Code'), textAt(answer, 'Error', 'Message'));
  return answer;
}

/** AWS's refusal, in its own words. */
export function awsFailure(status: number, code = `http_${status}`, message = ''): Failure {
  return new Failure(exitCodeOf(status, code), code, `AWS refuses: ${message || code}`);
}

function exitCodeOf(status: number, code: string): ExitCode {
  if (/AccessDenied|Unauthorized|ExpiredToken|InvalidClientTokenId/i.test(code)) {
    return exitCodes.denied;
  }
  if (/NotFound/.test(code)) return exitCodes.notFound;
  return status >= 500 || /Throttl/i.test(code) ? exitCodes.unavailable : exitCodes.failed;
}

export function parseXml(xml: string): Element {
  const root: Element = { name: '', children: [], text: '' };
  const open = [root];
  const parser = new Parser(
    {
      onopentag(name) {
        const element: Element = { name, children: [], text: '' };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(text) {
        const element = open.at(-1);
        if (element !== undefined) element.text += text;
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return root;
}

/** The elements of that name, however deep. */
export const elementsOf = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elementsOf(child, name),
  ]);

/** The text at the end of a path of names; `undefined` when there is none. */
export function textAt(element: Element, ...names: readonly string[]): string | undefined {
  const [name, ...further] = names;
  if (name === undefined) return element.text.trim();
  const found = elementsOf(element, name)[0];
  return found && textAt(found, ...further);
}
