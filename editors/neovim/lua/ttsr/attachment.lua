-- To which server a rule is attached after its folder was made.

local rule_folders = require('ttsr.rule_folders')

local M = {}

local NAME = 'ttsr_ls'

---Has a file that was opened before its project's folder existed served as the project's now.
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
