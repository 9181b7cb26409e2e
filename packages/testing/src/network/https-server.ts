import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

export interface TestHttpsServer {
  /** `https://localhost:<port>` */
  url: string;
  stop(): Promise<void>;
}

/** A server with https on loopback. Its certificate is made anew, and trusted by this process from then on. */
export async function startHttpsServer(listener: RequestListener): Promise<TestHttpsServer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = selfSigned('localhost', publicKey.export({ type: 'spki', format: 'der' }), (bytes) =>
    sign('sha256', bytes, privateKey),
  );
  setDefaultCACertificates([...getCACertificates('default'), cert]);
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const server = createServer({ key, cert }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A certificate of a day in PEM (RFC 5280), by the few parts of DER that it needs: Node reads certificates and makes none. */
function selfSigned(host: string, publicKey: Buffer, signBytes: (bytes: Buffer) => Buffer): string {
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(host)))));
  const day = 86_400_000;
  const validity = sequence(time(Date.now() - day), time(Date.now() + day));
  const alternativeName = sequence(der(0x82, Buffer.from(host)));
  const isAuthority = sequence(der(0x01, Buffer.from([0xff])));
  const keyId = createHash('sha1').update(publicKey).digest();
  const extensions = sequence(
    sequence(oid('551d11'), der(0x04, alternativeName)),
    sequence(oid('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, isAuthority)),
    sequence(oid('551d0e'), der(0x04, der(0x04, keyId))),
  );
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const certificate = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey,
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), signBytes(certificate)]));
  const whole = sequence(certificate, ecdsaWithSha256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${whole.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length]), bytes, content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, Buffer.concat(parts));

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

const time = (at: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));
