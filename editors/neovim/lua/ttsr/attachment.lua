-- Attaches a rule to the server of its project after the folder of the project was created.

local rule_folders = require('ttsr.rule_folders')

local M = {}

local NAME = 'ttsr_ls'

---Moves a file that was opened before the folder of its project existed to the project's server.
---@param bufnr integer
function M.written(bufnr)
  local config = vim.lsp.config[NAME]
  local path = vim.api.nvim_buf_get_name(bufnr)
  local attached = vim.lsp.get_clients({ name = NAME, bufnr = bufnr })[1]
  if attached == nil or config == nil or not rule_folders.has(path) then
    return
  end
  local root = vim.fs.root(bufnr, config.root_markers[1])
  if root ~= nil and root ~= attached.root_dir then
    vim.lsp.buf_detach_client(bufnr, attached.id)
    config = vim.deepcopy(config)
    config.root_dir = root
    vim.lsp.start(config, { bufnr = bufnr })
  end
end

return M
