-- Sends the texts of modified buffers that are not attached to a server, before requests whose answers depend on other
-- files. Else the server would read these files from the disk, and its edits would not fit the buffers.

local M = {}

-- The texts are sent before these requests only, so that typing costs nothing.
local READS_OTHER_FILES = {
  ['textDocument/rename'] = true,
  ['textDocument/references'] = true,
  ['textDocument/codeAction'] = true,
  ['textDocument/codeLens'] = true,
  ['ttsr/ruleMatches'] = true,
  ['ttsr/ruleTests'] = true,
}

---@type table<integer, table<integer, integer>> by client and buffer: the version of the text that was sent
local sent = {}

---Whether a buffer is for a file, written or not. Pages such as `scheme:/name` are not files.
---@param bufnr integer
---@return boolean
function M.is_file(bufnr)
  local is_plain = vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].buftype == ''
  return is_plain and vim.fn.isabsolutepath(vim.api.nvim_buf_get_name(bufnr)) == 1
end

---Notifies the server that a file is open, with its text if it differs from the disk.
---@param client vim.lsp.Client
---@param bufnr integer
function M.announce(client, bufnr)
  local versions = sent[client.id] or {}
  sent[client.id] = versions
  local params = { uri = vim.uri_from_bufnr(bufnr) }
  versions[bufnr] = nil
  if vim.bo[bufnr].modified then
    params.text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n') .. '\n'
    params.version = vim.api.nvim_buf_get_changedtick(bufnr)
    versions[bufnr] = params.version
  end
  client:notify('ttsr/didOpen', params)
end

---Notifies the server that a file was closed.
---@param client vim.lsp.Client
---@param bufnr integer
function M.forget(client, bufnr)
  if sent[client.id] ~= nil then
    sent[client.id][bufnr] = nil
  end
  client:notify('ttsr/didClose', { uri = vim.uri_from_bufnr(bufnr) })
end

---@param client vim.lsp.Client
---@param bufnr integer
local function is_below_root(client, bufnr)
  local root = client.root_dir and vim.fs.normalize(client.root_dir)
  return root ~= nil and vim.startswith(vim.fs.normalize(vim.api.nvim_buf_get_name(bufnr)), root .. '/')
end

---Sends the texts that differ from those that the server has.
---@param client vim.lsp.Client
local function send_texts(client)
  local versions = sent[client.id] or {}
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if M.is_file(bufnr) and not vim.lsp.buf_is_attached(bufnr, client.id) and is_below_root(client, bufnr) then
      local version = vim.bo[bufnr].modified and vim.api.nvim_buf_get_changedtick(bufnr) or nil
      if version ~= versions[bufnr] then
        M.announce(client, bufnr)
      end
    end
  end
end

---Wraps the requests of a client, so that the texts that an answer depends on are sent first.
---@param client vim.lsp.Client
function M.watch(client)
  local request = client.request
  client.request = function(self, method, ...)
    if READS_OTHER_FILES[method] then
      send_texts(client)
    end
    return request(self, method, ...)
  end
end

---The first file that has changed since the server computed an edit.
---@param edit lsp.WorkspaceEdit
---@param client vim.lsp.Client
---@return string?
function M.changed_file(edit, client)
  for _, change in ipairs(edit.documentChanges or {}) do
    local bufnr = change.textDocument and vim.uri_to_bufnr(change.textDocument.uri)
    if bufnr ~= nil and vim.api.nvim_buf_is_loaded(bufnr) then
      local version = change.textDocument.version
      local is_known = type(version) == 'number'
      local now = vim.api.nvim_buf_get_changedtick(bufnr)
      if vim.lsp.buf_is_attached(bufnr, client.id) then
        now = vim.lsp.util.buf_versions[bufnr]
      end
      if (is_known and now ~= version) or (not is_known and vim.bo[bufnr].modified) then
        return vim.api.nvim_buf_get_name(bufnr)
      end
    end
  end
end

return M
