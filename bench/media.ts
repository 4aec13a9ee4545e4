import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type Socket, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browserHeaders } from './browser-headers.ts';
import { type Figure, atMost, median, ratio, skipped } from './figures.ts';
import { readLine, stopProcess } from './site-process.ts';
import { findFreePort } from '#test/support/servers/free-port.ts';

const mebibyte = 1024 * 1024;
const fileMebibytes = 60;
const connections = 32;
const warmUpRounds = 2;
const rounds = 5;
const secondsPerRound = 3;

/** Ranges of 1 MiB of one file, 32 connections: the site's audio route and nginx alternately, one process each. */
export async function benchMedia(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-'));
  await mkdir(join(folder, 'audio'));
  await writeFile(join(folder, 'audio', 'bench.m4a'), randomBytes(fileMebibytes * mebibyte));
  const site = spawn(process.execPath, [fileURLToPath(new URL('media-server.ts', import.meta.url)), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let nginx: NginxProcess | undefined;
  try {
    const ours = { port: Number(await readLine(site, /listening (\d+)/)), path: '/media/audios/bench' };
    nginx = await startNginx(folder);
    const speeds = { ours: [] as number[], nginx: [] as number[] };
    // Warming up: buffers, page cache, compiled code, V8's young generation.
    for (let round = 0; round < warmUpRounds; round += 1) await mebibytesPerSecond(ours.port, ours.path);
    const memoryBefore = await residentMegabytes(site);
    for (let round = 0; round < rounds; round += 1) {
      if (nginx) speeds.nginx.push(await mebibytesPerSecond(nginx.port, '/audio/bench.m4a'));
      speeds.ours.push(await mebibytesPerSecond(ours.port, ours.path));
    }
    const memoryAfter = await residentMegabytes(site);

    const speed = median(speeds.ours);
    const figures: Figure[] = [
      {
        name: `Audio in ranges of 1 MiB, ${connections} connections`,
        value: `${Math.round(speed)} MiB/s`,
        limit: '',
        ok: undefined,
      },
    ];
    if (nginx) {
      figures.push({
        name: 'The same from nginx, one worker',
        value: `${Math.round(median(speeds.nginx))} MiB/s`,
        limit: 'peer',
        ok: undefined,
      });
      // Compares runs close in time, so that other load on the machine affects both.
      figures.push(
        ratio(
          'Audio ranges, of nginx',
          median(speeds.ours.map((value, round) => value / (speeds.nginx[round] ?? Number.NaN))),
          0.6,
        ),
      );
    } else {
      figures.push(skipped('Audio ranges, of nginx', 'nginx is not installed'));
    }
    if (memoryBefore === undefined || memoryAfter === undefined) {
      figures.push(skipped('Memory added by serving audio', 'only Linux tells it'));
    } else {
      // V8 grows its young generation in steps; a leak of a hundredth of the bytes would exceed this.
      const served = (speeds.ours.reduce((sum, value) => sum + value * secondsPerRound, 0) / 1024).toFixed(0);
      figures.push(
        atMost(
          `Memory added by serving ${served} GiB of audio (to ${Math.round(memoryAfter)} MB)`,
          memoryAfter - memoryBefore,
          96,
          'MB',
        ),
      );
    }
    return figures;
  } finally {
    await stopProcess(site);
    if (nginx) await stopProcess(nginx.child);
    await rm(folder, { recursive: true, force: true });
  }
}

/** All connections request one range after the other; the bytes are counted and dropped. */
async function mebibytesPerSecond(port: number, path: string): Promise<number> {
  const begin = performance.now();
  const end = begin + secondsPerRound * 1000;
  const clients = Array.from({ length: connections }, (_, index) =>
    takeRanges({ port, path, first: index * 7, until: end }),
  );
  const received = (await Promise.all(clients)).reduce((sum, bytes) => sum + bytes, 0);
  return received / mebibyte / ((performance.now() - begin) / 1000);
}

/** A media element requests uncompressed ranges. */
const audioHeaders = `Accept: */*\r\nAccept-Encoding: identity;q=1, *;q=0\r\nUser-Agent: ${browserHeaders['user-agent']}\r\n`;

type Client = { port: number; path: string; first: number; until: number };

/** A socket that reads into one buffer: a client that allocates for each chunk would be slower than the servers. */
function takeRanges({ port, path, first, until }: Client): Promise<number> {
  return new Promise((resolve, reject) => {
    let range = first;
    let received = 0;
    let head = '';
    let bodyLeft = 0;

    const ask = () => {
      const start = (range % fileMebibytes) * mebibyte;
      range += 1;
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${audioHeaders}Range: bytes=${start}-${start + mebibyte - 1}\r\n\r\n`,
      );
    };

    const take = (length: number, buffer: Uint8Array): boolean => {
      let bodyBytes = length;
      if (bodyLeft === 0) {
        head += Buffer.from(buffer.buffer, buffer.byteOffset, length).toString('latin1');
        const headEnd = head.indexOf('\r\n\r\n');
        if (headEnd === -1) return true;
        if (!head.startsWith('HTTP/1.1 206 '))
          socket.destroy(new Error(`Port ${port} answered ${head.slice(0, headEnd)}`));
        bodyBytes = head.length - headEnd - 4;
        bodyLeft = mebibyte;
        head = '';
      }
      bodyLeft -= bodyBytes;
      received += bodyBytes;
      if (bodyLeft === 0) {
        if (performance.now() < until) ask();
        else socket.end(() => resolve(received));
      }
      return true;
    };

    const socket: Socket = connect({
      port,
      host: '127.0.0.1',
      onread: { buffer: Buffer.allocUnsafe(256 * 1024), callback: take },
    });
    socket.once('connect', ask);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`Port ${port} closed the connection early`)));
  });
}

type NginxProcess = { child: ChildProcess; port: number };

/** nginx with one worker and `sendfile`, as its documentation recommends for files; `undefined` if not installed. */
async function startNginx(root: string): Promise<NginxProcess | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const program = folders.map((folder) => join(folder, 'nginx')).find((path) => existsSync(path));
  if (program === undefined) return undefined;
  const port = await findFreePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${root}/nginx-${kind};`)
    .join(' ');
  const settings = `${process.getuid?.() === 0 ? 'user root;' : ''} worker_processes 1; daemon off; pid ${root}/nginx.pid; error_log stderr;
    events { worker_connections 256; }
    http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; types { audio/mp4 m4a; } ${temporary}
      server { listen 127.0.0.1:${port}; root ${root}; } }`;
  await writeFile(join(root, 'nginx.conf'), settings);
  const child = spawn(program, ['-p', root, '-c', join(root, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilListening(port, child);
  return { child, port };
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('nginx ended before it listened');
}

async function residentMegabytes(child: ChildProcess): Promise<number | undefined> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  const kibibytes = /VmRSS:\s+(\d+) kB/.exec(status)?.[1];
  return kibibytes === undefined ? undefined : (Number(kibibytes) * 1024) / 1e6;
}

if (import.meta.main) console.table(await benchMedia());
