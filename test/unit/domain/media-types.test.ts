import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { mediaTypeOf } from '../../../packages/core/src/resources/files/external-content/media-types.js'
import { movingGif, pngOf } from '../../support/uploads.js'

const bytes = (text: string): Buffer =>
  Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(40)])

describe('mediaTypeOf', () => {
  it('detects media by their content', () => {
    const bitmap = Buffer.alloc(60)
    bitmap.write('BM')
    bitmap.writeUInt32LE(40, 14)
    const found = [
      pngOf(1, 1),
      movingGif,
      bitmap,
      bytes('ID3'),
      bytes('\xff\xfb\x90'),
      bytes('\xff\xf1\x50'),
      bytes('fLaC'),
      bytes('OggS'),
      bytes('RIFF....WAVE'),
      bytes('\x00\x00\x00\x20ftypM4A '),
      bytes('\x00\x00\x00\x20ftypisom'),
      bytes('\x1a\x45\xdf\xa3'),
    ].map(mediaTypeOf)

    assert.deepEqual(found, [
      'image/png',
      'image/gif',
      'image/bmp',
      'audio/mpeg',
      'audio/mpeg',
      'audio/aac',
      'audio/flac',
      'audio/ogg',
      'audio/wav',
      'audio/mp4',
      'video/mp4',
      'video/webm',
    ])
  })

  it('does not detect media in content that a browser could run', () => {
    for (const text of [
      '',
      '<svg>',
      '<?xml',
      '<html',
      'BM',
      '%PDF-1.7',
      '\xff\xff',
      '\xff',
      '{}',
    ]) {
      assert.equal(mediaTypeOf(bytes(text)), undefined, text)
      assert.equal(mediaTypeOf(Buffer.from(text, 'latin1')), undefined, text)
    }
  })
})
