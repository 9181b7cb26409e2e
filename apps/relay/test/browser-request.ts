import { request } from 'node:http';

/** One request as browsers send it; `fetch` forbids some of these headers. */
export function sendAsBrowser(
  address: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<{ status: number; body: Record<string, unknown>; setCookie: string[] }> {
  return new Promise((resolve, reject) => {
    const sent = request(address, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: JSON.parse(text || '{}') as Record<string, unknown>,
          setCookie: response.headers['set-cookie'] ?? [],
        }),
      );
    });
    sent.end(body && JSON.stringify(body));
  });
}
